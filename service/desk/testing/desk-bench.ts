import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { CSRF_HEADER } from "../../../shared/desk.ts";
import { Failure } from "../../../shared/errors.ts";
import type { DurableEvent } from "../../../shared/event.ts";
import { clientAddress } from "../../../shared/server/client-address.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import { answerError, type RequestFacts } from "../../http/problems.ts";
import { createRequestFrame } from "../../http/request-frame.ts";
import { createHub } from "../../live/hub.ts";
import { createPresence } from "../../live/presence.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createMemoryLog } from "../../testing/memory-log.ts";
import { putDatabase } from "../../testing/new-database.ts";
import { createDesk } from "../desk.ts";
import { createDeskFiles } from "../desk-files.ts";
import { createPasswordHasher } from "../password.ts";
import { createSetupLink } from "../set-up.ts";

export const ORIGIN = "http://desk";
export const PASSWORD = "four unrelated lamp words";
const ROUTE = { channel: "chat", agentProvider: "knowledge", humanHandoffAdapter: "desk" };

export interface SignedIn {
  readonly cookie: string;
  readonly csrf: string;
}

export type DeskBench = ReturnType<typeof createDeskBench>;

/** A desk on a real store in a temporary folder, with a manual clock and a cheap password cost. */
export function createDeskBench(options: { filesIn?: string; publicOrigin?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "desk-"));
  const clock = createManualClock(Date.parse("2026-03-01T09:00:00Z"));
  const log = createMemoryLog();
  const hub = createHub((error) => {
    throw error;
  });
  const path = join(folder, "service.sqlite");
  putDatabase(path);
  const store = openSqliteStore({
    path,
    clock,
    random: systemRandom,
    publish: (published) => hub.publish(published),
  });
  const presence = createPresence({ hub, clock });
  const stopping = new AbortController();
  const from = { address: "192.0.2.1" };
  const app = new Hono<RequestFacts>();
  app.use(createRequestFrame({ clock, random: systemRandom, log }));
  app.onError((error, c) => answerError(error, c, log));
  app.notFound((c) => answerError(new Failure("not_found"), c, log));
  app.route(
    "/desk",
    createDesk({
      store,
      hub,
      clock,
      random: systemRandom,
      log,
      files: createDeskFiles(options.filesIn ?? join(folder, "none")),
      passwords: createPasswordHasher({ N: 2, r: 1, p: 1 }),
      addressOf: () => clientAddress(from.address, undefined, 0),
      publicOrigin: options.publicOrigin,
      interrupting: (_id, command) => command(),
      wake: () => undefined,
      draft: ({ conversationId }) => Promise.resolve({ kind: "agent_away", conversationId }),
      // The desk on its own has no agent that could ask for one.
      actions: { answerAsPerson: () => Promise.reject(new Failure("not_found")) },
      presence,
      stopping: stopping.signal,
    }),
  );
  const setupDeps = { accounts: store.deskAccounts, now: () => clock.now(), random: systemRandom, log };
  const bench = {
    app,
    path,
    store,
    hub,
    presence,
    clock,
    log,
    stopping,
    from,
    addWorkspace: (name: string) => store.workspaces.create({ name, publicKey: `pk_${name}` }),
    setupLink: (workspaceId: string) => createSetupLink(setupDeps, workspaceId, `${ORIGIN}/desk`),
    /** A call as the desk's page makes it; `headers` replace what it would send, `undefined` omits one. */
    async call(
      method: string,
      path: string,
      call: { body?: unknown; as?: SignedIn | undefined; headers?: object } = {},
    ) {
      const reads = method === "GET" || method === "HEAD";
      const headers: Record<string, string | undefined> = {
        origin: ORIGIN,
        ...(reads ? {} : { "content-type": "application/json" }),
        ...(call.as ? { cookie: call.as.cookie, [CSRF_HEADER]: call.as.csrf } : {}),
        ...call.headers,
      };
      const sent = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      const body = reads ? {} : { body: JSON.stringify(call.body ?? {}) };
      return app.request(`${ORIGIN}/desk/api/${path}`, {
        method,
        headers: sent as [string, string][],
        ...body,
      });
    },
    /** Adds a person with an account and signs in. */
    async signIn(workspaceId: string, email: string, role: "agent" | "admin" = "agent"): Promise<SignedIn> {
      const passwordHash = await createPasswordHasher({ N: 2, r: 1, p: 1 }).hash(PASSWORD);
      await store.deskAccounts.addUser({ workspaceId, email, name: nameOf(email), passwordHash, role });
      return signedIn(await bench.call("POST", "login", { body: { email, password: PASSWORD } }));
    },
    /** A customer who wrote something and asked for a person. */
    async waitingConversation(workspaceId: string, externalId = "customer-1") {
      const customer = await store.customers.upsert(workspaceId, { externalId, displayName: "Maya" });
      const owner = { workspaceId, customerId: customer.id };
      const start = { subject: undefined, route: ROUTE, locale: "en" };
      const { id } = await store.conversations.start(owner, start, undefined);
      await store.conversations.addTurn(owner, id, { clientMessageId: "c1", body: "Where is my lamp?" });
      const request = { conversationId: id, reason: "Lamp", currentIntent: undefined, transcript: undefined };
      await store.handoffs.request(owner, { ...request, adapter: "desk" }, undefined);
      return { id, owner };
    },
    async customerLog(
      owner: { workspaceId: string; customerId: string },
      id: string,
    ): Promise<DurableEvent[]> {
      return (await store.conversations.readEvents(owner, id, 0, 1000)).events;
    },
    async close(): Promise<void> {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return bench;
}

export async function signedIn(response: Response): Promise<SignedIn> {
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
  if (!response.ok || !cookie) throw new Error(`The sign-in was answered by ${response.status}.`);
  const { csrf } = (await response.json()) as { csrf: string };
  return { cookie, csrf };
}

function nameOf(email: string): string {
  const [local = ""] = email.split("@");
  return local.charAt(0).toUpperCase() + local.slice(1);
}
