import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { EmbeddedService } from "../service/embedded.ts";
import { startEmbeddedService } from "../service/embedded.ts";
import type { SessionState } from "../shared/api/session.ts";
import { createSqliteStore } from "./store/sqlite-store.ts";
import { createTestBff, dataOf, problemOf, readBlocks, type TestBff } from "./testing/test-bff.ts";

/** The service's request log entries so far. */
const served: { readonly requestId?: string; readonly route?: string }[] = [];
const quiet = () => undefined;
const LOG = {
  // In one process the service logs its requests at this level, because the BFF logs them too.
  debug: (fields: object) => void served.push(fields),
  info: quiet,
  warn: quiet,
  error: quiet,
};

// A real store and a real agent, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let directory: string;
let service: EmbeddedService;
let bff: TestBff;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "parley-whole-"));
  await start();
});
afterAll(async () => {
  await stop();
  rmSync(directory, { recursive: true, force: true });
});

async function start(): Promise<void> {
  service = await startEmbeddedService({ dataDir: directory, env: {}, log: LOG });
  const { credential, publicKey, app } = service;
  bff = createTestBff({
    service: app,
    store: createSqliteStore(join(directory, "bff.sqlite")),
    env: { APPLICATION_CREDENTIAL: credential, APPLICATION_PUBLIC_KEY: publicKey },
  });
}
async function stop(): Promise<void> {
  bff.bff.drain();
  await service.close();
  await bff.bff.close();
}

const QUESTION = { clientMessageId: "k1", body: "How long does delivery take?" };
type Event = { type: string; seq?: number; message?: { role: string; body: string; id: string } };
const eventsOf = (blocks: readonly string[]) => blocks.map((block) => dataOf(block) as Event);
const follow = (token: string, lastEventId?: string) =>
  bff.request("GET", "/api/conversation/events", {
    token,
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });
async function resume(token: string): Promise<SessionState> {
  const answer = await bff.post("/api/session", {}, token);
  expect(answer.status).toBe(200);
  return (await answer.json()) as SessionState;
}
/** Reads the customer's events until the agent's whole answer is there. */
async function untilAnswered(token: string): Promise<readonly string[]> {
  const answer = await follow(token);
  for (let count = 2; ; count += 1) {
    const blocks = await readBlocks(answer, 1);
    const last = eventsOf(blocks).at(-1);
    if (last?.type === "message.created" && last.message?.role === "agent") return blocks;
    if (count > 500) throw new Error("no answer");
  }
}

describe("the logs of BFF and service", () => {
  it("share the id of the browser's request", async () => {
    const { token } = await bff.startConversation();
    const sent = { clientMessageId: "joined", body: "Hello" };
    const answer = await bff.post("/api/conversation/messages", sent, token);
    const requestId = answer.headers.get("x-request-id") ?? "no id";
    const ours = bff.lines.map((line) => JSON.parse(line) as { requestId?: string; route?: string });
    expect(ours).toContainEqual(
      expect.objectContaining({ requestId, route: "/api/conversation/messages", message: "request" }),
    );
    const theirs = served.filter((line) => line.requestId === requestId);
    expect(theirs.map(({ route }) => route)).toEqual(["/v1/support/conversations/:id/turns"]);
  });
});

describe("the BFF with the real service", () => {
  it("a question is answered from the articles, a person is asked for, the conversation ends", async () => {
    const { token } = await bff.startSession();
    const first = await bff.post("/api/conversation", QUESTION, token);
    expect(first.status).toBe(201);
    await untilAnswered(token);

    const asked = await bff.post("/api/conversation/handoff", { reason: "please" }, token);
    expect(asked.status).toBe(201);
    expect(await asked.json()).toMatchObject({ handoff: { status: "requested" } });

    const ended = await bff.request("DELETE", "/api/conversation", { token });
    expect(await ended.json()).toMatchObject({ conversation: { status: "ended" } });
    const { conversation } = await resume(token);
    expect(conversation?.status).toBe("ended");
    expect(conversation?.messages.map(({ role }) => role)).toEqual(
      expect.arrayContaining(["customer", "agent"]),
    );
  });

  it("a message that is sent again is the same one; another text under its key is refused", async () => {
    const { token } = await bff.startSession();
    await bff.post("/api/conversation", QUESTION, token);
    const send = (body: string) =>
      bff.post("/api/conversation/messages", { clientMessageId: "k2", body }, token);
    const [once, again] = [await (await send("x")).json(), await (await send("x")).json()];
    expect(again).toEqual(once);
    expect(await problemOf(await send("y"))).toBe("422 key_reused");
    const first = await bff.post("/api/conversation", QUESTION, token);
    expect(first.status).toBe(201);
    const { conversation } = await resume(token);
    expect(conversation?.messages.filter(({ role }) => role === "customer")).toHaveLength(2);
  });

  it("from every position of the log the rest is returned, once and in order", async () => {
    const { token } = await bff.startSession();
    await bff.post("/api/conversation", QUESTION, token);
    await untilAnswered(token);
    await bff.post("/api/conversation/handoff", {}, token);
    const { conversation } = await resume(token);
    const { epoch = "", lastSeq = 0 } = conversation ?? {};
    expect(lastSeq).toBeGreaterThan(3);
    for (let seq = 0; seq < lastSeq; seq += 1) {
      const blocks = await readBlocks(await follow(token, `${epoch}:${seq}`), lastSeq - seq);
      const seqs = eventsOf(blocks).flatMap((event) => event.seq ?? []);
      expect(seqs).toEqual(Array.from({ length: lastSeq - seq }, (_, index) => seq + 1 + index));
    }
    const beyond = await readBlocks(await follow(token, `${epoch}:${lastSeq + 1}`), 2);
    expect(eventsOf(beyond)).toEqual([{ type: "reset", reason: "position_gone" }]);
  });

  it("after a restart of both, the session, the conversation and its events still exist", async () => {
    const { token } = await bff.startSession();
    const answer = await bff.post("/api/conversation", QUESTION, token);
    const { conversation } = (await answer.json()) as { conversation: { id: string; epoch: string } };
    await untilAnswered(token);
    await stop();
    await start();
    const resumed = await resume(token);
    expect(resumed.conversation).toMatchObject({ id: conversation.id, epoch: conversation.epoch });
    const next = await bff.post(
      "/api/conversation/messages",
      { clientMessageId: "k2", body: "Thanks!" },
      token,
    );
    expect(next.status).toBe(201);
  });

  it("two customers each see only their own conversation", async () => {
    const one = await bff.startSession();
    const two = await bff.startSession();
    await bff.post("/api/conversation", { clientMessageId: "a", body: "canary-of-one" }, one.token);
    await bff.post("/api/conversation", { clientMessageId: "b", body: "Hello" }, two.token);
    expect(JSON.stringify(await resume(two.token))).not.toContain("canary-of-one");
    expect((await resume(one.token)).conversation?.id).not.toBe((await resume(two.token)).conversation?.id);
  });

  it("no credential and no service token in any answer or log line, and no text in the log", async () => {
    const { token } = await bff.startSession();
    await bff.post("/api/conversation", { clientMessageId: "k", body: "canary-text" }, token);
    const blocks = await readBlocks(await follow(token), 2);
    await bff.post("/api/conversation/handoff", { reason: "canary-text" }, token);
    await bff.request("DELETE", "/api/conversation", { token });
    const answered = [...bff.answered, ...blocks].join("\n");
    const logged = bff.lines.join("\n");
    for (const secret of [service.credential, ...spellings(service.credential)]) {
      expect(answered).not.toContain(secret);
      expect(logged).not.toContain(secret);
    }
    // Session tokens of the service are JWTs; nothing that leaves may look like one.
    expect(answered + logged).not.toMatch(/eyJ[\w-]+\.[\w-]+\./);
    expect(logged).not.toMatch(new RegExp(`canary-text|${token}`));
    expect(bff.lines.length).toBeGreaterThan(4);
    // Control: the same search finds what was legitimately sent.
    expect(answered).toContain("canary-text");
    expect(answered).toContain(token);
  });
});

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [bytes.toString("base64url"), bytes.toString("hex"), secret.split("").reverse().join("")];
}
