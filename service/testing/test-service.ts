import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import * as z from "zod/mini";
import { systemRandom } from "../../shared/server/random.ts";
import { createService, type Service, type ServiceDeps } from "../app.ts";
import { createWorkspace, issueCredential } from "../auth/credential.ts";
import { deskAdapter } from "../handoff/desk-adapter.ts";
import { createHub, type Hub } from "../live/hub.ts";
import { openSqliteStore, type SqliteStoreDeps } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import type { Enabled, Workspace } from "../store/workspaces.ts";
import { echoAgent } from "./agents.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { createMemoryLog, type MemoryLog } from "./memory-log.ts";
import { putDatabase } from "./new-database.ts";
import { openCustomer, type TestCustomer } from "./test-customer.ts";

export interface TestWorkspace extends Workspace {
  readonly credential: string;
}

export interface TestService {
  readonly service: Service;
  readonly store: Store;
  readonly hub: Hub;
  readonly path: string;
  readonly clock: ManualClock;
  readonly log: MemoryLog;
  readonly workspace: TestWorkspace;
  addWorkspace(name: string, enabled?: Enabled): Promise<TestWorkspace>;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** A customer with a session, in this service's first workspace or another. */
  customer(externalId: string, workspace?: TestWorkspace): Promise<TestCustomer>;
  /** Another service on the same file, after this one was closed (or left open). */
  reopen(overrides?: Partial<ServiceDeps>): Promise<TestService>;
  close(): Promise<void>;
}

/** `clock`: the service's and the store's. */
type StoreDeps = Pick<SqliteStoreDeps, "pause" | "conversationLimits"> & { readonly clock?: ManualClock };

export const SIGNING_KEY: Uint8Array = new TextEncoder().encode(
  "a key for tests, of thirty-two bytes or more",
);

/** The whole service on a real database in its own folder (or in `folder`), which is removed after the test. */
export async function openTestService(
  overrides: Partial<ServiceDeps> = {},
  folder?: string,
  storeDeps: StoreDeps = {},
): Promise<TestService> {
  const directory = folder ?? mkdtempSync(join(tmpdir(), "parley-service-"));
  const path = join(directory, "service.sqlite");
  if (folder === undefined) {
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    putDatabase(path);
  }
  return open(path, storeDeps.clock ?? createManualClock(), undefined, overrides, storeDeps);
}

async function open(
  path: string,
  clock: ManualClock,
  present: TestWorkspace | undefined,
  overrides: Partial<ServiceDeps>,
  storeDeps: StoreDeps,
): Promise<TestService> {
  const log = createMemoryLog();
  const hub = createHub((error) => {
    throw error;
  });
  const store = openSqliteStore({
    path,
    clock,
    random: systemRandom,
    publish: (entry) => hub.publish(entry),
    ...storeDeps,
  });
  const service = createService({
    store,
    hub,
    clock,
    random: systemRandom,
    log,
    agents: [echoAgent],
    adapters: [deskAdapter],
    sources: [],
    channels: ["web"],
    signingKey: SIGNING_KEY,
    isOnlyProcess: true,
    publicKeyHeader: "x-public-key",
    handoffSecrets: [],
    handoffSecretHeader: "x-handoff-secret",
    ...overrides,
  });
  await service.start();
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await service.close();
    await store.close();
  };
  onTestFinished(close);
  const addWorkspace = (name: string, enabled?: Enabled) => makeWorkspace(store, name, enabled);
  const workspace = present ?? (await addWorkspace("one"));
  const request = async (to: string, init?: RequestInit) => service.app.request(to, init);
  return {
    service,
    store,
    hub,
    path,
    clock,
    log,
    workspace,
    addWorkspace,
    request,
    customer: (externalId, of = workspace) => openCustomer(request, of.credential, externalId),
    reopen: (more) => open(path, clock, workspace, { ...overrides, ...more }, storeDeps),
    close,
  };
}

async function makeWorkspace(
  store: Store,
  name: string,
  enabled: Enabled | undefined,
): Promise<TestWorkspace> {
  const workspace = enabled
    ? await store.workspaces.create({ name, publicKey: `pk_${name}`, enabled })
    : await createWorkspace(store, systemRandom, name);
  const { credential } = await issueCredential(store, systemRandom, {
    workspaceId: workspace.id,
    label: "command line",
  });
  return { ...workspace, credential };
}

const ProblemCode = z.object({ code: z.string(), detail: z.string(), status: z.number() });

/** The code of a problem answer; fails the test if the answer is not a problem. */
export async function problemOf(
  response: Response,
): Promise<{ code: string; detail: string; status: number }> {
  const problem = ProblemCode.parse(await response.json());
  if (problem.status !== response.status)
    throw new Error("A problem names another status than its answer has.");
  return problem;
}
