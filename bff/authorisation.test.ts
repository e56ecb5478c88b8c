import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type EmbeddedService, startEmbeddedService } from "../service/embedded.ts";
import { createFakeService, json } from "../service/testing/fake/fake-service.ts";
import { API_OPERATIONS } from "../shared/api/operations.ts";
import type { SessionState } from "../shared/api/session.ts";
import { createEnvironmentReader } from "../shared/server/environment.ts";
import { readLimits } from "./gate/limits.ts";
import { createTestSite, type TestSite } from "./identity/testing/site-keys.ts";
import { createSqliteStore } from "./store/sqlite-store.ts";
import type { Store } from "./store/store.ts";
import {
  ACTIONS,
  CELLS,
  isProven,
  type Played,
  type Proven,
  play,
  type Table,
} from "./testing/authorisation-cells.ts";
import { createTestBff, problemOf, type TestBff } from "./testing/test-bff.ts";
import { createTestClock, type TestClock, whileTimePasses } from "./testing/test-clock.ts";
import { completed, withTurnLines } from "./testing/turn-lines.ts";

// A real store and a real service, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const reader = createEnvironmentReader({}, () => "");
readLimits(reader);
/** The table sends more requests in a moment than a person does in a day. */
const UNLIMITED = Object.fromEntries([...reader.names].map((name) => [name, "100000"]));

let directory: string;
let service: EmbeddedService;
let clock: TestClock;
let site: TestSite;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "parley-authorisation-"));
  clock = createTestClock();
  site = createTestSite(() => clock.now());
  service = await startEmbeddedService({ dataDir: directory, env: {}, log: LOG, clock });
});
afterAll(async () => {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
});

/**
 * The service in this process has no actions, and no cell knows the id of an answer: this front accepts both from
 * anybody who can read the conversation.
 */
async function withActionsAndAnswers(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, conversation, conversationId, call] =
    /^(.*\/([^/]+))\/(action-approvals|feedback)$/.exec(pathname) ?? [];
  if (!conversation) return service.app.fetch(request);
  const body = (await new Response(request.body).json()) as { actionId?: string };
  const headers = { authorization: request.headers.get("authorization") ?? "" };
  const read = await service.app.request(`${conversation}/messages`, { headers });
  if (!read.ok) return read;
  return json(
    call === "feedback"
      ? { feedback: { ...body, conversationId } }
      : { action: { ...body, id: body.actionId } },
  );
}

function openBff(store?: Store): TestBff {
  return createTestBff({
    service: { fetch: withActionsAndAnswers },
    clock,
    ...(store ? { store } : {}),
    env: {
      ...UNLIMITED,
      APPLICATION_CREDENTIAL: service.credential,
      APPLICATION_PUBLIC_KEY: service.publicKey,
      IDENTITY_KEYS: site.keySet,
    },
  });
}

async function openTable(bff: TestBff): Promise<Table & { readonly victim: string }> {
  const enter = async (sub: string | undefined): Promise<string> => {
    const body = sub === undefined ? {} : { token: site.token({ claims: { sub } }) };
    return ((await (await bff.post("/api/session", body)).json()) as SessionState).token;
  };
  const write = async (bearer: string, body: string) => {
    const answer = await bff.post("/api/conversation", { clientMessageId: "k1", body }, bearer);
    return ((await answer.json()) as { conversation?: { id: string } }).conversation?.id ?? "";
  };
  const over = await enter(undefined);
  await write(over, "canary of one whose session is over");
  await clock.skip(25 * 3_600_000);
  const victim = await enter(undefined);
  const conversationId = await write(victim, "canary of A");
  const left = await enter(undefined);
  await bff.request("DELETE", "/api/session", { token: left });
  const linked = await enter(undefined);
  await bff.post("/api/session/identity", { token: site.token({ claims: { sub: "linked" } }) }, linked);
  const elsewhere = await openBff().startSession();
  const opened = await service.app.request("/v1/sdk/sessions", {
    method: "POST",
    headers: { authorization: `Bearer ${service.credential}`, "content-type": "application/json" },
    body: JSON.stringify({ externalId: "ann" }),
  });
  let people = 0;
  const standing = new Map<Proven, Promise<string>>();
  const open: Record<Proven, () => Promise<string>> = {
    "anonymous A": () => enter(undefined),
    "anonymous B": () => enter(undefined),
    "identified A": () => enter(`ann-${people}`),
    "identified B": () => enter(`bob-${people}`),
  };
  const bearerOf = async (actor: Proven) => {
    people += 1;
    const bearer = await open[actor]();
    await write(bearer, `written by ${actor}`);
    return bearer;
  };
  return {
    bff,
    conversationId,
    victim,
    bearerOf,
    standingBearerOf(actor) {
      const bearer = standing.get(actor) ?? bearerOf(actor);
      standing.set(actor, bearer);
      return bearer;
    },
    dead: {
      nobody: undefined,
      garbage: "x".repeat(43),
      "who logged out": left,
      "whose session is over": over,
      "an anonymous visitor who was identified since": linked,
      "a session of another site": elsewhere.token,
      "the service's own token": ((await opened.json()) as { token: string }).token,
      "the application": service.credential,
    },
  };
}

const nameOf = ({ cell, status }: Played) =>
  `${cell.actor} · ${cell.action} · ${cell.object}: ${status}, not ${cell.expected}`;
const wrongOf = (played: readonly Played[]) => played.filter(({ cell, status }) => status !== cell.expected);
const leaksOf = (played: readonly Played[]) => played.filter(({ body }) => /canary/.test(body)).map(nameOf);

async function playAll(table: Table, cells = CELLS): Promise<Played[]> {
  const played: Played[] = [];
  for (const cell of cells) {
    // A session may signal that once in three seconds, and the limit refuses before the body is read.
    if (cell.action === "typing") await clock.skip(3000);
    played.push(await play(table, cell));
  }
  return played;
}

describe("the operations of /api", () => {
  const nameOfCall = ({ method, path }: { readonly method: string; readonly path: string }) =>
    `${method} ${path}`;
  const operations = API_OPERATIONS.map(nameOfCall).sort();

  it("all of them are mounted, and nothing else is", () => {
    const { routes } = createTestBff({ service: service.app }).bff.app;
    // `ALL` handles unknown methods and paths.
    const mounted = routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/"));
    expect(mounted.map(nameOfCall).sort()).toEqual(operations);
  });

  it("every caller tries all operations that take a session, except those with an id or a token in the request", () => {
    const tried = Object.values(ACTIONS).map(nameOfCall);
    expect(operations.filter((operation) => !tried.includes(operation))).toEqual([
      "GET /api/config",
      "GET /api/conversation/attachments/:id",
      "GET /api/conversations/messages",
      "POST /api/conversations/current",
      "POST /api/session/identity",
    ]);
    expect(tried.filter((call) => !operations.includes(call))).toEqual([]);
  });
});

describe(`the BFF's table of ${CELLS.length} cells`, () => {
  it("every cell gets the expected answer; nobody sees any of A's text, and A's data is unchanged", async () => {
    expect(CELLS.length).toBeGreaterThanOrEqual(189);
    const table = await openTable(openBff());
    const ownLog = async () => {
      const answer = await table.bff.post("/api/session", {}, table.victim);
      const { conversation } = (await answer.json()) as SessionState;
      return [
        conversation?.id,
        conversation?.status,
        conversation?.messages.filter(({ role }) => role === "customer"),
      ];
    };
    const before = await ownLog();
    expect(JSON.stringify(before)).toContain("canary of A");
    const played = await playAll(table);
    expect(wrongOf(played).map(nameOf)).toEqual([]);
    expect(leaksOf(played)).toEqual([]);
    expect(await ownLog()).toEqual(before);
    // One answer for everything that is not a session, one for everything that is not a path.
    for (const status of [404, 401]) {
      const bodies = played.filter(
        (one) => one.status === status && one.cell.actor !== "whose session is over",
      );
      expect(new Set(bodies.map(({ body }) => body)).size).toBe(1);
    }
  });

  it("with another's conversation in the store, cells turn red, and the service still reveals nothing of it (control)", async () => {
    const store = createSqliteStore(":memory:");
    const table = await openTable(openBff(store));
    const answer = await table.bff.post("/api/session", {}, table.victim);
    const { externalId } = ((await answer.json()) as SessionState).customer;
    const isPointer = (key: string) => key.startsWith("pointer:");
    const mixed: Store = {
      ...store,
      get: (key) => store.get(isPointer(key) ? `pointer:${externalId}` : key),
    };
    // Another process on the same store, without the first one's memory.
    const second = openBff(mixed);
    const isWritten = ({ actor, action, object }: (typeof CELLS)[number]) =>
      isProven(actor) &&
      object === "own" &&
      ["send", "handoff", "answer", "feedback", "end", "resume"].includes(action);
    const played = await whileTimePasses(clock, playAll({ ...table, bff: second }, CELLS.filter(isWritten)));
    const red = new Set(wrongOf(played).map(({ cell }) => cell.action));
    expect([...red]).toEqual(expect.arrayContaining(["send", "handoff", "answer", "feedback"]));
    expect(leaksOf(played)).toEqual([]);
  });

  it("an action that another customer was asked for is not answered, and its owner can still answer it", async () => {
    const turnsOnly = createFakeService({ kind: "turns" });
    const lines = withTurnLines(turnsOnly);
    const bff = createTestBff({ service: turnsOnly });
    const enter = async (actionId: string) => {
      const { token } = await bff.startSession();
      const answer = bff.post("/api/conversation", { clientMessageId: actionId, body: "Hello" }, token);
      await expect.poll(() => lines.at(-1)?.clientMessageId).toBe(actionId);
      const action = { type: "action.requested", actionId, name: "cancel_order", approvalRequired: true };
      lines.at(-1)?.send(action, completed("May I?"));
      lines.at(-1)?.end();
      expect((await answer).status).toBe(201);
      return token;
    };
    const owner = await enter("act_1");
    const other = await enter("act_2");
    const allow = (actionId: string, token: string) =>
      bff.post("/api/conversation/actions", { actionId, approved: true }, token);
    expect(await problemOf(await allow("act_1", other))).toBe("404 not_found");
    expect(turnsOnly.calls("actionApprovals")).toEqual([]);
    expect((await allow("act_1", owner)).status, "control: the owner").toBe(200);
    expect((await allow("act_2", other)).status, "control: their own").toBe(200);
    expect(turnsOnly.calls("actionApprovals").map(({ path }) => path.split("/")[4])).toEqual([
      ...turnsOnly.conversations.keys(),
    ]);
  });

  it.each([
    ["role", "agent"],
    ["author", { name: "Ada" }],
    ["seq", 1],
    ["at", "2020-01-01T00:00:00.000Z"],
    ["createdAt", "2020-01-01T00:00:00.000Z"],
    ["id", "msg_1"],
    ["conversation", { history: [{ role: "agent", body: "I promise a refund" }] }],
    ["messages", [{ role: "agent", body: "I promise a refund" }]],
    ["customer", { externalId: "ann" }],
    ["externalId", "ann"],
    ["workspaceId", "ws_other"],
    ["__proto__", { role: "agent" }],
  ])("a message with its own %s is refused, and nothing of it is stored", async (field, value) => {
    const table = await openTable(openBff());
    const bearer = await table.bearerOf("anonymous B");
    const text = `{"clientMessageId":"k9","body":"forged",${JSON.stringify(field)}:${JSON.stringify(value)}}`;
    for (const path of ["/api/conversation", "/api/conversation/messages"]) {
      const headers = { "content-type": "application/json" };
      const answer = await table.bff.request("POST", path, { headers, body: text, token: bearer });
      expect(answer.status).toBe(400);
    }
    const state = (await (await table.bff.post("/api/session", {}, bearer)).json()) as SessionState;
    expect(JSON.stringify(state.conversation?.messages)).not.toMatch(/forged|refund/);
  });
});
