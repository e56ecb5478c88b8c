import { describe, expect, test } from "vitest";
import { json } from "../../service/testing/fake/fake-service.ts";
import type { SessionState } from "../../shared/api/session.ts";
import { Capability } from "../../shared/capability.ts";
import { Failure, problemOf as problemDocument } from "../../shared/errors.ts";
import { chooseAt, list, openFake, openWhole, read, say, stateOf, talk } from "../testing/history-bench.ts";
import { problemOf, readBlocks } from "../testing/test-bff.ts";

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
