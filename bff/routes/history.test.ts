import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmbeddedService } from "../../service/embedded.ts";
import { changed, createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { listConversations, readPast, searchConversations } from "../../shared/api/history.ts";
import type { SessionState } from "../../shared/api/session.ts";
import { Capability } from "../../shared/capability.ts";
import { Failure, problemOf as problemDocument } from "../../shared/errors.ts";
import { createTestSite } from "../identity/testing/site-keys.ts";
import { createTestBff, problemOf, readBlocks, type TestBff } from "../testing/test-bff.ts";

const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const AT = "2026-11-22T12:00:00.000Z";

async function openWhole() {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-history-"));
  const service = await startEmbeddedService({ dataDir, env: {}, log: LOG });
  const { credential, publicKey, app } = service;
  const site = createTestSite(() => Date.now());
  const bff = createTestBff({
    service: app,
    env: {
      APPLICATION_CREDENTIAL: credential,
      APPLICATION_PUBLIC_KEY: publicKey,
      IDENTITY_KEYS: site.keySet,
    },
  });
  onTestFinished(async () => {
    bff.bff.drain();
    await service.close();
    await bff.bff.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const enter = async (sub?: string) => {
    const body = sub === undefined ? {} : { token: site.token({ claims: { sub } }) };
    return ((await (await bff.post("/api/session", body)).json()) as SessionState).token;
  };
  return { bff, enter, site };
}

/** Has a conversation with one message, and ends it. */
async function talk(bff: TestBff, token: string, body: string) {
  const key = `k-${body.replaceAll(" ", "-")}`;
  expect((await bff.post("/api/conversation", { clientMessageId: key, body }, token)).status).toBe(201);
  expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
}

async function list(bff: TestBff, token: string, query = "") {
  const answer = await bff.request("GET", `/api/conversations${query}`, { token });
  expect(answer.status).toBe(200);
  return listConversations.answer.parse(await answer.json());
}

const read = (bff: TestBff, token: string, reference: string) =>
  bff.request("GET", `/api/conversations/messages?of=${encodeURIComponent(reference)}`, { token });

describe("past conversations", () => {
  test("HIST1 are listed newest first and readable after their end, also from a second device of an identified customer", async () => {
    const { bff, enter } = await openWhole();
    const phone = await enter("ann");
    await talk(bff, phone, "the first question");
    await talk(bff, phone, "the second question");
    const laptop = await enter("ann");
    for (const token of [phone, laptop]) {
      const { conversations } = await list(bff, token);
      expect(conversations.map(({ firstWords }) => firstWords)).toEqual([
        "the second question",
        "the first question",
      ]);
      expect(conversations.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
      const answer = await read(bff, token, conversations[1]?.reference ?? "");
      const page = readPast.answer.parse(await answer.json());
      expect(page.status).toBe("ended");
      expect(page.messages[0]).toMatchObject({ role: "customer", body: "the first question" });
      expect(page.marks?.at(-1)?.type).toBe("conversation.ended");
    }
  });

  test("an anonymous visitor finds them after a reload", async () => {
    const { bff, enter } = await openWhole();
    const token = await enter();
    await talk(bff, token, "an anonymous question");
    const resumed = (await (await bff.post("/api/session", {}, token)).json()) as SessionState;
    expect((await list(bff, resumed.token)).conversations).toHaveLength(1);
  });

  test("HIST2 are never another customer's: neither by list, nor by a reference, nor by an id; the owner reads them", async () => {
    const { bff, enter } = await openWhole();
    const [ann, bob, visitor] = [await enter("ann"), await enter("bob"), await enter()];
    await talk(bff, ann, "canary of ann");
    const state = (await (await bff.post("/api/session", {}, ann)).json()) as SessionState;
    const id = state.conversation?.id ?? "";
    const reference = (await list(bff, ann)).conversations[0]?.reference ?? "";
    for (const token of [bob, visitor]) {
      expect((await list(bff, token)).conversations).toEqual([]);
      for (const of of [reference, id, `${id}.`, `${id}.${"A".repeat(22)}`, "x", "."]) {
        expect(await problemOf(await read(bff, token, of)), of).toBe("404 not_found");
        const file = `/api/conversation/attachments/att_1?of=${encodeURIComponent(of)}`;
        expect(await problemOf(await bff.request("GET", file, { token })), of).toBe("404 not_found");
      }
    }
    const forged = `${reference.slice(0, -2)}${reference.endsWith("AA") ? "BB" : "AA"}`;
    for (const of of [id, forged]) expect(await problemOf(await read(bff, ann, of))).toBe("404 not_found");
    expect((await bff.request("GET", "/api/conversations")).status).toBe(401);
    const owned = await read(bff, ann, reference);
    expect([owned.status, await owned.text()], "control").toEqual([
      200,
      expect.stringContaining("canary of ann"),
    ]);
  });

  test("a reference of another customer causes no call, so a service that can't tell customers apart reveals nothing", async () => {
    const { service, bff } = openFake();
    const { token } = await bff.startSession();
    const past = { id: "conv-1", status: "ended", startedAt: AT };
    const { customer } = (await (await bff.post("/api/session", {}, token)).json()) as SessionState;
    service.answer("history", () => json({ customer, conversations: [past] }));
    service.answer("messages", () =>
      json({ conversation: past, messages: [], lastSeq: 2, epoch: "epoch-1" }),
    );
    const reference = (await list(bff, token)).conversations[0]?.reference ?? "";
    const other = await bff.startSession();
    const before = service.calls("messages").length;
    expect(await problemOf(await read(bff, other.token, reference))).toBe("404 not_found");
    expect(service.calls("messages")).toHaveLength(before);
    expect((await read(bff, token, reference)).status, "control").toBe(200);
    expect(service.calls("messages")).toHaveLength(before + 1);
  });

  test("HIST6 are read with the actions that the agent asked for, in their current state", async () => {
    const { service, bff } = openFake();
    const { token, customer } = await bff.startSession();
    const past = { id: "conv-1", status: "ended", startedAt: AT };
    const actions = [
      { actionId: "act_1", name: "refund", seq: 3, at: AT, approved: true, result: { status: "completed" } },
    ];
    service.answer("history", () => json({ customer, conversations: [past] }));
    service.answer("messages", () =>
      json({ conversation: past, messages: [], actions, lastSeq: 5, epoch: "epoch-1" }),
    );
    const reference = (await list(bff, token)).conversations[0]?.reference ?? "";
    const page = readPast.answer.parse(await (await read(bff, token, reference)).json());
    expect(page.actions).toEqual(actions);
  });

  test("a list that names another customer is not confirmed", async () => {
    const { service, bff } = openFake();
    const { token } = await bff.startSession();
    const past = { id: "conv-1", status: "ended", startedAt: AT, firstWords: "canary" };
    service.answer("history", () => json({ customer: { externalId: "bob" }, conversations: [past] }));
    const answer = await bff.request("GET", "/api/conversations", { token });
    expect(await problemOf(answer)).toBe("502 not_confirmed");
    expect(bff.answered.join()).not.toContain("canary");
  });

  test("a page is asked for as the service named it", async () => {
    const { service, bff } = openFake();
    const { token, customer } = await bff.startSession();
    service.answer("history", () => json({ customer, conversations: [] }));
    await list(bff, token, "?after=1%2F2%26x");
    expect(service.calls("history").at(-1)?.path).toBe("/v1/support/conversations?after=1%2F2%26x");
  });

  test("are not offered by a service without them, or without events", async () => {
    for (const capabilities of [
      ["turns", "events", "messages"],
      ["turns", "messages", "history"],
    ]) {
      const { bff } = openFake(capabilities);
      const state = await bff.startSession();
      expect(state.capabilities).not.toContain("history");
      for (const path of ["/api/conversations", "/api/conversations/messages?of=x.y"]) {
        const answer = await bff.request("GET", path, { token: state.token });
        expect(await problemOf(answer)).toBe("404 not_found");
      }
    }
  });
});

async function search(bff: TestBff, token: string, text: string) {
  const answer = await bff.post("/api/conversations/search", { text }, token);
  expect(answer.status).toBe(200);
  return searchConversations.answer.parse(await answer.json()).conversations;
}

describe("HIST3 the search", () => {
  test("finds the customer's own words, named so that they can be read, and no other customer's", async () => {
    const { bff, enter } = await openWhole();
    const [ann, bob] = [await enter("ann"), await enter("bob")];
    await talk(bff, ann, "canary of ann");
    await talk(bff, ann, "another question");
    const [found, ...others] = await search(bff, ann, "CANARY");
    expect([found?.excerpt, others]).toEqual(["canary of ann", []]);
    expect(await (await read(bff, ann, found?.reference ?? "")).text()).toContain("canary of ann");
    expect(await search(bff, bob, "canary")).toEqual([]);
  });

  test.each([
    ["of another customer", { customer: { externalId: "bob" } }],
    ["for another text", { text: "desk" }],
    ["for no text", { text: undefined }],
  ])("a result %s is not confirmed", async (_, more) => {
    const { service, bff } = openFake();
    const { token } = await bff.startSession();
    await talk(bff, token, "canary");
    service.answer("search", (__, real) => changed<object>(real, (body) => ({ ...body, ...more })));
    const ask = () => bff.post("/api/conversations/search", { text: "canary" }, token);
    const before = bff.answered.length;
    expect(await problemOf(await ask())).toBe("502 not_confirmed");
    expect(bff.answered.slice(before).join()).not.toContain("canary");
    service.mend("search");
    expect(await (await ask()).text(), "control").toContain("canary");
  });

  test("is not offered by a service without it", async () => {
    const { bff } = openFake(Capability.options.filter((one) => one !== "search"));
    const { token, capabilities } = await bff.startSession();
    expect(capabilities).not.toContain("search");
    const answer = await bff.post("/api/conversations/search", { text: "lamp" }, token);
    expect(await problemOf(answer)).toBe("404 not_found");
  });
});

const chooseAt = (bff: TestBff, token: string, of: string) =>
  bff.post("/api/conversations/current", { of }, token);
const stateOf = async (bff: TestBff, token: string) =>
  (await (await bff.post("/api/session", {}, token)).json()) as SessionState;
const say = (bff: TestBff, token: string, body: string) =>
  bff.post("/api/conversation", { clientMessageId: `k-${body.replaceAll(" ", "-")}`, body }, token);

describe("HIST4 a past conversation", () => {
  test("is continued by the next message, with all that was said before, also on another device", async () => {
    const { bff, enter } = await openWhole();
    const ann = await enter("ann");
    await talk(bff, ann, "the first question");
    await talk(bff, ann, "the second question");
    const first = (await list(bff, ann)).conversations[1]?.reference ?? "";
    expect((await chooseAt(bff, ann, first)).status).toBe(200);
    const chosen = (await stateOf(bff, ann)).conversation;
    expect(chosen).toMatchObject({ status: "ended", reopens: true });
    expect(
      (await list(bff, ann)).conversations.map(({ status }) => status),
      "nothing is opened yet",
    ).toEqual(["ended", "ended"]);
    expect((await say(bff, ann, "one more thing")).status).toBe(201);
    for (const token of [ann, await enter("ann")]) {
      const { conversation } = await stateOf(bff, token);
      expect(conversation).toMatchObject({ id: chosen?.id, status: "open" });
      expect(conversation?.reopens).toBeUndefined();
      const own = conversation?.messages.filter(({ role }) => role === "customer");
      expect(own?.map(({ body }) => body)).toEqual(["the first question", "one more thing"]);
    }
    expect((await list(bff, ann)).conversations).toHaveLength(2);
  });

  test("ends the conversation that is open, and a new message after its own end starts another one", async () => {
    const { bff, enter } = await openWhole();
    const ann = await enter("ann");
    await talk(bff, ann, "the first question");
    await say(bff, ann, "the second question");
    const first = (await list(bff, ann)).conversations[1]?.reference ?? "";
    await chooseAt(bff, ann, first);
    expect((await list(bff, ann)).conversations[0]).toMatchObject({
      status: "ended",
      ended: { by: "customer" },
    });
    await say(bff, ann, "one more thing");
    await bff.request("DELETE", "/api/conversation", { token: ann });
    expect((await stateOf(bff, ann)).conversation?.reopens).toBeUndefined();
    await say(bff, ann, "the third question");
    expect((await list(bff, ann)).conversations).toHaveLength(3);
  });

  test("its first end, which a stream repeats from the beginning, does not end it again", async () => {
    const { bff, enter } = await openWhole();
    const ann = await enter("ann");
    await talk(bff, ann, "the first question");
    await chooseAt(bff, ann, (await list(bff, ann)).conversations[0]?.reference ?? "");
    await say(bff, ann, "one more thing");
    const stream = await bff.request("GET", "/api/conversation/events", { token: ann });
    // Start, message, answer, end, reopening, message.
    const blocks = await readBlocks(stream, 6);
    await stream.body?.cancel();
    expect(blocks.join()).toMatch(/conversation\.ended.*conversation\.reopened.*one more thing/s);
    await say(bff, ann, "and another");
    expect((await list(bff, ann)).conversations).toHaveLength(1);
  });

  test("a request for a person after it was continued is a new one", async () => {
    const { bff, enter } = await openWhole();
    const ann = await enter("ann");
    await say(bff, ann, "the first question");
    const ask = async () => {
      const answer = await bff.post("/api/conversation/handoff", {}, ann);
      return ((await answer.json()) as { handoff: { id: string } }).handoff.id;
    };
    const before = await ask();
    await bff.request("DELETE", "/api/conversation", { token: ann });
    await chooseAt(bff, ann, (await list(bff, ann)).conversations[0]?.reference ?? "");
    await say(bff, ann, "one more thing");
    expect((await stateOf(bff, ann)).conversation?.handoff?.status).toBe("returned");
    expect(await ask()).not.toBe(before);
    expect((await stateOf(bff, ann)).conversation?.handoff?.status).toBe("requested");
  });

  test("HIST2 another customer's is never continued: not by a reference, not by an id, not after signing in or out", async () => {
    const { bff, enter, site } = await openWhole();
    const [ann, bob, visitor] = [await enter("ann"), await enter("bob"), await enter()];
    await talk(bff, ann, "canary of ann");
    await talk(bff, visitor, "canary of the visitor");
    await talk(bff, visitor, "the visitor again");
    const { id = "" } = (await stateOf(bff, ann)).conversation ?? {};
    const annas = (await list(bff, ann)).conversations[0]?.reference ?? "";
    const [, earlier] = (await list(bff, visitor)).conversations;
    const before = (await list(bff, ann)).conversations;
    for (const token of [bob, visitor]) {
      for (const of of [annas, id, `${id}.${"A".repeat(22)}`, "x"]) {
        expect(await problemOf(await chooseAt(bff, token, of)), of).toBe("404 not_found");
      }
    }
    expect((await list(bff, ann)).conversations).toEqual(before);
    // Signing in brings the visitor's current conversation along, and no other.
    const token = site.token({ claims: { sub: "bob" } });
    const linked = await bff.post("/api/session/identity", { token }, visitor);
    const known = ((await linked.json()) as SessionState).token;
    const mine = (await list(bff, known)).conversations.map(({ firstWords }) => firstWords);
    expect(mine).toEqual(["the visitor again"]);
    for (const call of [chooseAt, read]) {
      expect(await problemOf(await call(bff, known, earlier?.reference ?? ""))).toBe("404 not_found");
      expect((await call(bff, visitor, earlier?.reference ?? "")).status).toBe(401);
    }
    expect((await chooseAt(bff, ann, annas)).status, "control").toBe(200);
    await bff.request("DELETE", "/api/session", { token: ann });
    expect((await chooseAt(bff, ann, annas)).status).toBe(401);
  });

  /** A BFF over a service with one past conversation, and its reference. */
  async function openPast(capabilities?: readonly string[]) {
    const { service, bff } = openFake(capabilities);
    const { token } = await bff.startSession();
    await talk(bff, token, "the first question");
    const { id = "" } = (await stateOf(bff, token)).conversation ?? {};
    const reference = (await list(bff, token)).conversations[0]?.reference ?? "";
    const turns = () => service.calls("turns").map(({ path }) => path.split("/")[4]);
    return { service, bff, token, id, reference, turns };
  }

  test("a refusal to reopen it starts no other conversation; the customer's next try does", async () => {
    const { service, bff, token, id, reference, turns } = await openPast();
    await chooseAt(bff, token, reference);
    expect(service.calls("reopen")).toEqual([]);
    service.answer("reopen", () =>
      Response.json(problemDocument(new Failure("conversation_ended"), "r1"), { status: 409 }),
    );
    expect(await problemOf(await say(bff, token, "hello"))).toBe("409 conversation_ended");
    expect([turns(), service.calls("conversations").length]).toEqual([[id], 1]);
    expect((await say(bff, token, "hello")).status).toBe(201);
    expect(service.calls("conversations")).toHaveLength(2);
  });

  test.each([
    ["without a proof", {}],
    ["of another one", { conversation: { id: "conv-8", status: "open" } }],
    ["without a status", { conversation: { id: "conv-8" } }],
  ])("an answer %s does not confirm that it is open, and a retry opens it", async (_, answer) => {
    const { service, bff, token, id, reference, turns } = await openPast();
    await chooseAt(bff, token, reference);
    service.answer("reopen", () => json(answer));
    expect(await problemOf(await say(bff, token, "hello"))).toBe("502 not_confirmed");
    expect(turns()).toEqual([id]);
    service.mend("reopen");
    expect((await say(bff, token, "hello")).status).toBe(201);
    expect(turns()).toEqual([id, id]);
  });

  test("an open conversation whose end is not confirmed stays the current one", async () => {
    const { service, bff, token, reference, turns } = await openPast();
    await say(bff, token, "hello");
    service.answer("endConversation", () => json({}, 202));
    expect(await problemOf(await chooseAt(bff, token, reference))).toBe("502 not_confirmed");
    await say(bff, token, "still here");
    expect(turns().at(-1)).toBe(turns().at(-2));
  });

  test("that has ended can't be chosen at a service that opens none again; an open one can", async () => {
    const closed = Capability.options.filter((one) => one !== "reopen");
    const { service, bff, token, id, reference, turns } = await openPast(closed);
    expect(await problemOf(await chooseAt(bff, token, reference))).toBe("409 conversation_ended");
    // An end that is only claimed leaves the conversation open.
    await say(bff, token, "the second question");
    const open = (await stateOf(bff, token)).conversation?.id ?? "";
    service.answer("endConversation", () => json({ conversation: { id: open, status: "ended" } }));
    await bff.request("DELETE", "/api/conversation", { token });
    service.mend("endConversation");
    await say(bff, token, "the third question");
    const second = (await list(bff, token)).conversations.find(({ firstWords }) =>
      firstWords?.includes("second"),
    );
    expect((await chooseAt(bff, token, second?.reference ?? "")).status).toBe(200);
    await say(bff, token, "hello");
    expect([turns().at(-1), open === id]).toEqual([open, false]);
    expect(service.calls("reopen")).toEqual([]);
  });
});

describe("a session without a conversation", () => {
  test("HIST5 says that there are past ones only where the service lists some", async () => {
    const { bff, enter } = await openWhole();
    const ann = await enter("ann");
    expect((await stateOf(bff, ann)).hasPast).toBeUndefined();
    await talk(bff, ann, "the first question");
    await talk(bff, ann, "the second question");
    expect((await stateOf(bff, ann)).hasPast, "while one is shown").toBeUndefined();
    const erase = () => bff.request("DELETE", "/api/conversation/content", { token: ann });
    expect((await erase()).status).toBe(200);
    expect(await stateOf(bff, ann)).toMatchObject({ conversation: null, hasPast: true });
    await chooseAt(bff, ann, (await list(bff, ann)).conversations[0]?.reference ?? "");
    await erase();
    expect((await stateOf(bff, ann)).hasPast).toBeUndefined();
  });

  test("starts for a new visitor without a question to the service, and for everybody when the list fails", async () => {
    const { service, bff } = openFake();
    await bff.startSession();
    expect(service.calls("history")).toEqual([]);
    const { token } = await bff.startSession();
    await talk(bff, token, "the first question");
    await say(bff, token, "the second question");
    await bff.request("DELETE", "/api/conversation/content", { token });
    service.answer("history", () => new Response(null, { status: 500 }));
    expect((await stateOf(bff, token)).hasPast).toBeUndefined();
    service.mend("history");
    expect((await stateOf(bff, token)).hasPast, "control").toBe(true);
  });
});

function openFake(capabilities?: readonly string[]) {
  const service = createFakeService();
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  return { service, bff: createTestBff({ service }) };
}
