import { describe, expect, it } from "vitest";
import type { Sent } from "../../shared/operation.ts";
import { actionApprovals } from "../../shared/v1/action-approvals.ts";
import { capabilities } from "../../shared/v1/capabilities.ts";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { identify } from "../../shared/v1/identify.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import { respond } from "../routes/exchange.ts";
import {
  type Answer,
  isVerified,
  type Operation,
  type Verified,
  verify,
  verifyInPieces,
} from "./verified.ts";

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  mediaType: "application/json",
  bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  ...more,
});
const TURN = { message: { id: "m1", seq: 1, clientMessageId: "k1" } };
const CONTENT = { body: "Où est mon colis ?", format: "plain" as const };
/** What any of the operations below sends. */
const SENT: Sent = {
  params: { id: "c1" },
  request: {
    externalId: "e1",
    conversationId: "c1",
    clientMessageId: "k1",
    content: CONTENT,
    actionId: "a1",
    approved: true,
  } as never,
};
const verifyTurn = (given: Answer) =>
  verify(sendTurn, { params: { id: "c1" }, request: { clientMessageId: "k1", content: CONTENT } }, given);

describe("verify", () => {
  it("accepts a valid answer, with only the schema's fields", () => {
    const verified = verifyTurn(
      answer({ message: { ...TURN.message, secretNote: "x" }, more: 1 }, { status: 201 }),
    );
    expect(verified.value).toEqual(TURN);
    expect(isVerified(verified)).toBe(true);
  });

  it.each([200, 201])("accepts %i", (status) => {
    expect(verifyTurn(answer(TURN, { status })).value).toEqual(TURN);
  });

  it.each([202, 203, 204, 205, 206, 207, 226, 301, 302, 303, 304, 307, 308])(
    "does not believe %i",
    (status) => {
      expect(() => verifyTurn(answer(TURN, { status }))).toThrow(
        expect.objectContaining({ code: "not_confirmed" }),
      );
    },
  );

  it.each<[string, Answer]>([
    ["nothing", answer("")],
    ["an empty object", answer({})],
    ["an empty list", answer([])],
    ["null", answer("null")],
    ["a truncated body", answer(JSON.stringify(TURN).slice(0, -4))],
    ["two bodies", answer(JSON.stringify(TURN) + JSON.stringify(TURN))],
    ["HTML", answer("<html>ok</html>", { mediaType: "text/html" })],
    ["JSON that calls itself HTML", answer(TURN, { mediaType: "text/html" })],
    ["JSON of no type", answer(TURN, { mediaType: "" })],
    ["bytes that are not UTF-8", answer("", { bytes: Uint8Array.of(0x7b, 0xff, 0x7d) })],
    ["another key", answer({ message: { ...TURN.message, clientMessageId: "k2" } })],
    ["no id", answer({ message: { seq: 1, clientMessageId: "k1" } })],
    ["an id that is a list", answer({ message: { ...TURN.message, id: ["m1"] } })],
    ["an id that can't stand in a path", answer({ message: { ...TURN.message, id: "../m1" } })],
    ["a seq of no log", answer({ message: { ...TURN.message, seq: 0 } })],
    ["another's role", answer({ message: { ...TURN.message, role: "agent" } })],
    ["a problem document", answer(TURN, { mediaType: "application/problem+json" })],
    ["an error beside it", answer({ ...TURN, error: { message: "no" } })],
    ["a word of an error beside it", answer({ ...TURN, error: "no" })],
    ["errors beside it", answer({ ...TURN, errors: ["no"] })],
    ["that it is not ok", answer({ ...TURN, ok: false })],
    ["that it was no success", answer({ ...TURN, success: false })],
    ["that it failed", answer({ ...TURN, status: "failed" })],
  ])("does not accept %s", (_, given) => {
    expect(() => verifyTurn(given)).toThrow(expect.objectContaining({ code: "not_confirmed" }));
  });

  it("accepts one that says explicitly that nothing failed (control)", () => {
    const fine = { error: null, errors: [], ok: true, success: true, status: "ok" };
    expect(verifyTurn(answer({ ...TURN, ...fine })).value).toEqual(TURN);
  });

  it("does not repeat the service's text in its failure", () => {
    try {
      verifyTurn(answer('{"canary": nonsense'));
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain("canary");
    }
  });
});

describe("verifyInPieces", () => {
  const AT = "2026-11-22T12:00:00.000Z";
  const message = (seq: number) => ({ id: `m${seq}`, seq, role: "agent", body: "Hello", at: AT });
  const transcript = (count: number, more: (seq: number) => object = () => ({})) =>
    answer({
      conversation: { id: "c1", status: "open" },
      messages: Array.from({ length: count }, (_, at) => ({ ...message(at + 1), ...more(at + 1) })),
      lastSeq: count,
    });
  const verifyLog = (given: Answer) => verifyInPieces(readMessages, SENT as never, given);

  it("believes the same as verify, whatever the length", async () => {
    for (const count of [0, 1, 200, 201, 999]) {
      const given = transcript(count);
      expect((await verifyLog(given)).value).toEqual(verify(readMessages, SENT as never, given).value);
    }
  });

  it("one entry of another conversation, or of another form, makes all of a long answer doubtful", async () => {
    for (const fault of [{ conversationId: "c2" }, { seq: "x" }]) {
      const given = transcript(999, (seq) => (seq === 777 ? fault : {}));
      await expect(verifyLog(given)).rejects.toMatchObject({ code: "not_confirmed" });
    }
    await expect(verifyLog({ ...transcript(1), status: 202 })).rejects.toMatchObject({
      code: "not_confirmed",
    });
  });

  it("LONG2 lets other work run between two pieces of a long answer", async () => {
    let rounds = 0;
    let isRunning = true;
    const count = () => {
      rounds += 1;
      if (isRunning) setImmediate(count);
    };
    setImmediate(count);
    await verifyLog(transcript(999));
    isRunning = false;
    expect(rounds).toBeGreaterThanOrEqual(5);
  });
});

describe("the echo, by operation", () => {
  const holds = (operation: Operation, body: unknown) => {
    try {
      verify(operation, SENT, answer(body));
      return true;
    } catch {
      return false;
    }
  };
  const handoff = (conversationId: string, status = "requested") => ({
    handoff: { id: "h", conversationId, status },
  });
  const log = (id: string, more: object = {}) => ({
    conversation: { id, status: "open", ...more },
    messages: [],
    lastSeq: 0,
  });
  const message = { id: "m1", seq: 1, role: "agent", body: "x", at: "2026-11-21T12:00:00Z" };
  const told = (body: string) => ({ message: { ...TURN.message, body } });

  it.each<[string, Operation, unknown, boolean]>([
    ["identify that names nobody", identify, {}, true],
    ["identify that names the customer", identify, { customer: { externalId: "e1" } }, true],
    ["identify that names another", identify, { externalId: "e2" }, false],
    [
      "identify that names another below",
      identify,
      { externalId: "e1", customer: { externalId: "e2" } },
      false,
    ],
    ["identify that names a list", identify, { externalId: ["e1"] }, false],
    ["a start", startConversation, { conversation: { id: "x" } }, true],
    ["a start that failed", startConversation, { conversation: { id: "x", status: "failed" } }, false],
    ["a start without an id", startConversation, { conversation: {} }, false],
    ["a hand-off of this conversation", requestHandoff, handoff("c1"), true],
    ["a hand-off of another", requestHandoff, handoff("c2"), false],
    ["a hand-off that the service calls by a word of its own", requestHandoff, handoff("c1", "queued"), true],
    ["a hand-off that failed, by the contract's word", requestHandoff, handoff("c1", "failed"), true],
    ["a hand-off that was rejected", requestHandoff, handoff("c1", "rejected"), false],
    ["a hand-off with nobody there", requestHandoff, handoff("c1", "unavailable"), false],
    ["a turn with the text that was sent", sendTurn, told("Où est\nmon colis ?"), true],
    ["a turn with its white space and Unicode form", sendTurn, told(" Ou\u0300 est mon colis ?"), true],
    ["a turn with half of the text", sendTurn, told("Où est"), false],
    ["a turn with no text", sendTurn, told(""), false],
    ["a leave that was taken", actionApprovals, { action: { id: "a1", approved: true } }, true],
    ["a leave that failed", actionApprovals, { action: { id: "a1", status: "failed" } }, false],
    ["an end of this conversation", endConversation, { conversation: { id: "c1" } }, true],
    ["an end that names it at the top", endConversation, { id: "c1" }, true],
    ["an end of another", endConversation, { conversation: { id: "c2" } }, false],
    ["an end that names two", endConversation, { id: "c2", conversation: { id: "c1" } }, false],
    ["an end that names none", endConversation, {}, false],
    ["an end that left it open", endConversation, { conversation: { id: "c1", status: "open" } }, false],
    ["the log of this conversation", readMessages, log("c1"), true],
    ["an end that left it open, said at the top", endConversation, { id: "c1", status: "active" }, false],
    ["the log of another", readMessages, log("c2"), false],
    [
      "a log with a message of another",
      readMessages,
      { ...log("c1"), messages: [{ ...message, conversationId: "c2" }] },
      false,
    ],
    [
      "a log whose message names this one",
      readMessages,
      { ...log("c1"), messages: [{ ...message, conversationId: "c1" }] },
      true,
    ],
    [
      "a log with a hand-off of another",
      readMessages,
      log("c1", { handoff: { id: "h", status: "accepted", conversationId: "c2" } }),
      false,
    ],
    ["capabilities with unknown words", capabilities, { capabilities: ["turns", "x"] }, true],
  ])("%s", (_, operation, body, expected) => {
    expect(holds(operation, body)).toBe(expected);
  });

  it.each<[string, Partial<Answer> & { body: unknown }]>([
    ["an empty 200", { body: "", mediaType: "" }],
    ["an empty 201", { body: "", status: 201 }],
    ["204", { body: "", status: 204, mediaType: "" }],
    ["[]", { body: [] }],
    ["null", { body: "null" }],
    ["a page", { body: "<p>ok</p>", mediaType: "text/html" }],
    ["{} by 202", { body: {}, status: 202 }],
  ])("identify promises no field, but an object: %s is not one", (_, { body, ...more }) => {
    expect(() => verify(identify, { params: {}, request: { externalId: "e1" } }, answer(body, more))).toThrow(
      expect.objectContaining({ code: "not_confirmed" }),
    );
  });

  it("an end may be empty, with 200 or 204", () => {
    const sent = { params: { id: "c1" }, request: undefined };
    for (const status of [200, 204]) {
      expect(verify(endConversation, sent, answer("", { status, mediaType: "" })).value).toBeUndefined();
    }
    expect(() => verify(endConversation, sent, answer("", { status: 202 }))).toThrow();
  });
});

describe("a hand-made claim", () => {
  it("does not compile, and fails at run time if a cast forces it in", () => {
    const exchange = { operation: { answer: undefined } } as never;
    const value = { conversation: { id: "c1" } };
    // @ts-expect-error an object made by hand is no Verified
    const made: Verified<typeof value> = { value };
    class Lookalike {
      readonly #proven = true;
      readonly value = value;
      readonly shown = () => this.#proven;
    }
    // @ts-expect-error nor is another class with the same members
    const copied: Verified<typeof value> = new Lookalike();
    expect(() => respond(exchange, 200, made as never)).toThrow(TypeError);
    expect(() => respond(exchange, 200, copied as never)).toThrow(TypeError);
  });
});
