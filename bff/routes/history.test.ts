import { describe, expect, test } from "vitest";
import { changed, json } from "../../service/testing/fake/fake-service.ts";
import { readPast } from "../../shared/api/history.ts";
import type { SessionState } from "../../shared/api/session.ts";
import { Capability } from "../../shared/capability.ts";
import {
  chooseAt,
  list,
  openFake,
  openWhole,
  read,
  say,
  search,
  stateOf,
  talk,
} from "../testing/history-bench.ts";
import { problemOf } from "../testing/test-bff.ts";

const AT = "2026-11-22T12:00:00.000Z";

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
