import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../../../shared/server/clock.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import type { Agent } from "../../agents/agent.ts";
import { createService } from "../../app.ts";
import { issueCredential } from "../../auth/credential.ts";
import { deskAdapter } from "../../handoff/desk-adapter.ts";
import { createHub, type Hub } from "../../live/hub.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import { answeringAgent, silentAgent } from "./fake-agents.ts";
import { counted } from "./in-flight.ts";

/** On a machine with a folder in memory, a commit's sync costs nothing. */
const MEMORY = "/dev/shm";
const FOLDER = "parley-fake-";

const AGENTS: readonly Agent[] = [answeringAgent, silentAgent];
const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** The system's time. Its timers do not keep a test's process alive. */
const CLOCK: Clock = {
  ...systemClock,
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** The real service of this process. */
interface RealService {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly store: Store;
  readonly hub: Hub;
  readonly path: string;
  readonly close: () => Promise<void>;
}

/** One workspace of the real service, which one fake uses. */
export interface RealWorkspace {
  readonly id: string;
  readonly credential: string;
  readonly store: Store;
  readonly hub: Hub;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The answer that the service would give. A copy of it carries out the call and is then discarded. */
  readonly rehearse: (request: Request) => Promise<Response>;
}

let opened: Promise<RealService> | undefined;
let workspaces = 0;

/** Opens a workspace of its own. All fakes of a process share one real service, because opening one takes longer than a test. */
export async function openWorkspace(agentId: string): Promise<RealWorkspace> {
  opened ??= openForProcess();
  const real = await opened;
  workspaces += 1;
  const name = `fake ${workspaces}`;
  const enabled = { agentProviders: [agentId] };
  const { id } = await real.store.workspaces.create({ name, publicKey: `pk_fake_${workspaces}`, enabled });
  const issued = await issueCredential(real.store, systemRandom, { workspaceId: id, label: "fake" });
  return {
    id,
    credential: issued.credential,
    store: real.store,
    hub: real.hub,
    fetch: (request) => counted(real.fetch(request)),
    rehearse: (request) => counted(rehearse(real, request)),
  };
}

async function openForProcess(): Promise<RealService> {
  const parent = existsSync(MEMORY) ? MEMORY : tmpdir();
  removeLeftFolders(parent);
  const folder = mkdtempSync(join(parent, `${FOLDER}${process.pid}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return open(join(folder, "service.sqlite"));
}

/** A worker that is killed can't remove its folder, so the next one to start does. */
function removeLeftFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${FOLDER}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: another user's process.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function open(path: string): Promise<RealService> {
  const hub = createHub((error) => {
    throw error;
  });
  const store = openSqliteStore({
    path,
    clock: CLOCK,
    random: systemRandom,
    publish: (entry) => hub.publish(entry),
  });
  const service = createService({
    publicKeyHeader: "x-public-key",
    handoffSecrets: [],
    handoffSecretHeader: "x-handoff-secret",
    store,
    hub,
    clock: CLOCK,
    random: systemRandom,
    log: LOG,
    agents: AGENTS,
    adapters: [deskAdapter],
    sources: [],
    channels: ["chat", "web"],
    signingKey: new TextEncoder().encode("a key for fakes, of thirty-two bytes or more"),
    isOnlyProcess: true,
  });
  return {
    store,
    hub,
    path,
    fetch: async (request) => service.app.fetch(request),
    async close() {
      await service.close();
      await store.close();
    },
  };
}

async function rehearse(real: RealService, request: Request): Promise<Response> {
  const path = `${real.path}.rehearsal-${randomUUID()}`;
  const source = new DatabaseSync(real.path, { readOnly: true });
  source.exec(`VACUUM INTO '${path}'`);
  source.close();
  if (existsSync(`${real.path}.files`)) cpSync(`${real.path}.files`, `${path}.files`, { recursive: true });
  const copy = await open(path);
  const answer = await copy.fetch(request);
  const { status, headers } = answer;
  const body = await answer.arrayBuffer();
  await copy.close();
  for (const part of ["", "-wal", "-shm", ".files"]) rmSync(path + part, { recursive: true, force: true });
  return new Response(status === 204 ? null : body, { status, headers });
}
