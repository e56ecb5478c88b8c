import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CSRF_HEADER } from "../../shared/desk.ts";
import { systemRandom } from "../../shared/server/random.ts";
import { createService, type ServiceDeps } from "../app.ts";
import { createWorkspace, issueCredential } from "../auth/credential.ts";
import { createDesk } from "../desk/desk.ts";
import { createDeskFiles } from "../desk/desk-files.ts";
import { createPasswordHasher } from "../desk/password.ts";
import { deskAdapter } from "../handoff/desk-adapter.ts";
import { createHub } from "../live/hub.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createSilentAgent } from "./agents.ts";
import { createManualClock } from "./manual-clock.ts";
import { createMemoryLog } from "./memory-log.ts";
import { putDatabase } from "./new-database.ts";
import { openCustomer } from "./test-customer.ts";

export const STAGE_ORIGIN = "http://stage";
export const STAGE_PASSWORD = "four unrelated lamp words";

export type Stage = Awaited<ReturnType<typeof openStage>>;

export interface StageOptions {
  /** Replaces the real store with another: for controls, which remove a guard. */
  readonly wrap?: (store: Store, path: string) => Store;
  readonly service?: Partial<Pick<ServiceDeps, "agents" | "toolbox">>;
}

/** The whole service with its desk and two workspaces, on a real database. The test that opens it closes it. */
export async function openStage({ wrap = (store) => store, service: more = {} }: StageOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "parley-authorisation-"));
  const path = join(folder, "service.sqlite");
  putDatabase(path);
  const clock = createManualClock();
  const log = createMemoryLog();
  const hub = createHub((error) => {
    throw error;
  });
  const real = openSqliteStore({ path, clock, random: systemRandom, publish: (entry) => hub.publish(entry) });
  const store = wrap(real, path);
  const passwords = createPasswordHasher({ N: 2, r: 1, p: 1 });
  const service = createService({
    store,
    hub,
    clock,
    random: systemRandom,
    log,
    agents: [createSilentAgent({ id: "knowledge" })],
    adapters: [deskAdapter],
    sources: [],
    channels: ["web"],
    signingKey: systemRandom(32),
    publicKeyHeader: "x-public-key",
    isOnlyProcess: true,
    handoffSecrets: [],
    handoffSecretHeader: "x-handoff-secret",
    ...more,
    addDesk: (app, live) => {
      const desk = createDesk({
        store,
        hub,
        clock,
        random: systemRandom,
        log,
        files: createDeskFiles(join(folder, "none")),
        passwords,
        addressOf: () => "192.0.2.1",
        ...live,
      });
      app.route("/desk", desk);
    },
  });
  const request = async (to: string, init?: RequestInit) =>
    service.app.request(new URL(to, STAGE_ORIGIN), init);

  async function addWorkspace(name: string) {
    const workspace = await createWorkspace(real, systemRandom, name);
    const issue = async () =>
      issueCredential(real, systemRandom, { workspaceId: workspace.id, label: "test" });
    const { credential } = await issue();
    return {
      ...workspace,
      credential,
      customer: (externalId: string) => openCustomer(request, credential, externalId),
      async revokedCredential() {
        const other = await issue();
        await real.credentials.revoke(workspace.id, other.record.id);
        return other.credential;
      },
      /** Adds a person of the desk and signs in: returns their id, and the headers of their page. */
      person: (email: string, role: "agent" | "admin") => addPerson(workspace.id, email, role),
    };
  }

  async function addPerson(workspaceId: string, email: string, role: "agent" | "admin") {
    const passwordHash = await passwords.hash(STAGE_PASSWORD);
    const { id } = await real.deskAccounts.addUser({ workspaceId, email, name: email, passwordHash, role });
    return { id, headers: await signIn(email) };
  }

  async function signIn(email: string): Promise<Record<string, string>> {
    const answer = await request("/desk/api/login", {
      method: "POST",
      headers: { "content-type": "application/json", origin: STAGE_ORIGIN },
      body: JSON.stringify({ email, password: STAGE_PASSWORD }),
    });
    const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
    if (!cookie) throw new Error(`The sign-in was answered by ${answer.status}.`);
    const { csrf } = (await answer.json()) as { csrf: string };
    return { origin: STAGE_ORIGIN, cookie, [CSRF_HEADER]: csrf };
  }

  return {
    store: real,
    clock,
    request,
    addWorkspace,
    /** Resolves when no agent is answering. */
    settled: () => service.settled(),
    async close(): Promise<void> {
      await service.close();
      await real.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
