// @vitest-environment node
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { readConfig } from "../../shared/api/config.ts";
import {
  answerAction,
  endConversation,
  requestHandoff,
  sendMessage,
  startConversation,
} from "../../shared/api/conversation.ts";
import { endSession, startSession } from "../../shared/api/session.ts";
import { Mark } from "../../shared/conversation.ts";
import { Failure, Problem, problemOf } from "../../shared/errors.ts";
import { ChatEvent } from "../../shared/event.ts";
import { readAnswered } from "./answer-action.ts";
import { AT, agentMessage, customerMessage } from "./testing/scripted-bff.ts";
import * as wire from "./wire.ts";
import { readEvent } from "./wire-events.ts";

const human = { id: "h1", status: "accepted", human: { name: "Mira" } };
const full = agentMessage(3, "Yes.", {
  citations: [{ citationId: "a", title: "Returns", url: "https://shop.example/r", excerpt: "…" }],
  choices: [
    { id: "one", label: "Returns", send: "How do I return something?" },
    { id: "two", label: "A human", choice: "handoff" },
    { id: "three", choice: "handoff" },
  ],
  incomplete: true,
  notice: "answer_cut",
  feedback: "up",
  clientMessageId: "k",
});
const own = customerMessage(2, "k1", "Hello");
const session = {
  token: "t".repeat(43),
  expiresAt: AT,
  customer: { externalId: "anon_1", displayName: "A", identified: false },
  route: { channel: "web", agentProvider: "knowledge", humanHandoffAdapter: "desk", reason: "default" },
  capabilities: ["turns", "events", "messages", "typing", "read", "rating", "attachments", "idempotency"],
  conversation: {
    id: "c1",
    status: "open",
    startedAt: AT,
    handoff: human,
    epoch: "e1",
    lastSeq: 3,
    messages: [own, full],
    marks: Mark.shape.type.options.map((type, index) => ({ seq: index + 4, at: AT, type, name: "Mira" })),
    actions: [
      { actionId: "a1", name: "cancel_order", seq: 4, at: AT, approved: true },
      {
        actionId: "a2",
        name: "shop_refund",
        title: "Refund",
        arguments: [{ label: "Order", value: "1001" }],
        confirm: "customer",
        expiresAt: AT,
        seq: 5,
        at: AT,
        approved: true,
        result: { status: "completed", text: "Refunded" },
      },
    ],
    suggestion: { reason: "Only a person may" },
  },
};
const durable = { seq: 4, at: AT };

const CASES: readonly (readonly [string, z.ZodMiniType, (value: unknown) => unknown, readonly unknown[]])[] =
  [
    ["session", startSession.answer, wire.readSession, [session, { ...session, conversation: null }]],
    [
      "conversation",
      startConversation.answer,
      wire.readStarted,
      [
        {
          conversation: { id: "c1", status: "open", epoch: "e1", startedAt: AT, handoff: human },
          message: own,
        },
      ],
    ],
    ["message", sendMessage.answer, wire.readSent, [{ message: own }]],
    ["handoff", requestHandoff.answer, wire.readHandoff, [{ handoff: human }]],
    ["end", endConversation.answer, wire.readEnded, [{ conversation: { id: "c1", status: "ended" } }]],
    ["action", answerAction.answer, readAnswered, [{ action: { actionId: "a1", approved: false } }]],
    ["logout", endSession.answer, wire.readRevoked, [{ revoked: true }]],
    [
      "event",
      ChatEvent,
      readEvent,
      [
        { type: "conversation.started", ...durable },
        { type: "message.created", ...durable, message: full },
        ...["requested", "accepted", "returned", "failed"].map((status) => ({
          type: `handoff.${status}`,
          ...durable,
          handoff: { ...human, status },
        })),
        { type: "conversation.ended", ...durable, by: "human" },
        { type: "conversation.reopened", ...durable, by: "human" },
        { type: "action.requested", ...durable, action: { actionId: "a1", name: "cancel_order" } },
        { type: "action.answered", ...durable, actionId: "a1", approved: false },
        { type: "action.answered", ...durable, actionId: "a1", approved: true, by: "human" },
        {
          type: "action.requested",
          ...durable,
          action: {
            actionId: "a1",
            name: "shop_refund",
            title: "Refund an order",
            arguments: [{ label: "Order", value: "" }],
            confirm: "person",
            expiresAt: AT,
          },
        },
        { type: "action.completed", ...durable, actionId: "a1", text: "Refunded" },
        { type: "action.failed", ...durable, actionId: "a1" },
        { type: "action.unknown", ...durable, actionId: "a1" },
        { type: "action.expired", ...durable, actionId: "a1" },
        { type: "handoff.suggested", ...durable, reason: "Only a person may" },
        { type: "response.delta", messageId: "m1", delta: "x" },
        { type: "response.snapshot", messageId: "m1", text: "x" },
        { type: "typing.started", role: "human", name: "Mira" },
        { type: "typing.stopped", role: "agent" },
        { type: "conversation.read", by: "human", upTo: 3 },
        { type: "handoff.wait", wait: { place: 2, usualSeconds: 60, opensAt: AT } },
        { type: "contact.changed", contact: { email: "ann@shop.example" } },
        { type: "contact.changed", contact: { email: null } },
        { type: "conversation.erased" },
        { type: "feedback.changed", feedback: { messageId: "m3", score: "down" } },
        { type: "feedback.changed", feedback: { messageId: "m3", score: null } },
        { type: "reset", reason: "epoch" },
        { type: "drain", delayMs: 10 },
      ],
    ],
  ];

/** Values that may replace a field's value. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  "",
  " ",
  "x ",
  "x",
  "a\nb",
  "\ud800",
  "😀".repeat(128),
  ".",
  "a/b",
  "2026-11-21",
  "2026-02-31T10:00:00Z",
  "2026-11-21T10:00:00",
  "2026-11-21T10:00:00+02:00",
  "2026-11-21T10:00Z",
  "2026-11-21T24:00:00Z",
  "2026-11-21T10:60:00Z",
  "2026-11-21T10:00:00+25:00",
  "2024-02-29T10:00:00.123456Z",
  "x".repeat(129),
  "x".repeat(301),
  "x".repeat(2001),
  [],
  {},
  [1],
  { type: "img", props: {} },
  Array.from({ length: 21 }, () => full.citations?.[0]),
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]))];
}

/** A copy of `value` in which the value at `path` is replaced or removed. */
function replaced(value: unknown, path: Path, by: { value: unknown } | "gone"): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by === "gone" ? undefined : by.value;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  if (rest.length === 0 && by === "gone") {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
  } else copy[key] = replaced(copy[key], rest, by);
  return copy;
}

describe("the frame accepts what the schemas accept", () => {
  for (const [name, schema, read, samples] of CASES) {
    const mutants = samples.flatMap((sample) =>
      pathsOf(sample).flatMap((path) => [
        replaced(sample, path, "gone"),
        ...STRANGE.map((strange) => replaced(sample, path, { value: strange })),
      ]),
    );

    it(`${name}: each sample, as the schema parses it`, () => {
      for (const sample of samples) {
        expect(read(sample)).toEqual(schema.parse(sample));
        expect(read({ ...(sample as object), surplus: 1 })).toEqual(schema.parse(sample));
      }
    });

    it(`${name}: ${mutants.length} samples with one part missing or wrong`, () => {
      const misread = mutants.filter(
        (mutant) => !isDeepStrictEqual(read(mutant), schema.safeParse(mutant).data),
      );
      expect(misread).toEqual([]);
    });

    it(`${name}: arbitrary values`, () => {
      fc.assert(
        fc.property(
          fc.jsonValue(),
          (value) => (read(value) === undefined) === !schema.safeParse(value).success,
        ),
        { numRuns: 300 },
      );
    });
  }

  it("problem: the code and the seconds, of each failure", () => {
    const problem = problemOf(new Failure("rate_limited", { retryAfter: 7 }), "r1");
    expect(Problem.safeParse(problem).success).toBe(true);
    expect(wire.readProblem(problem)).toEqual({ code: "rate_limited", retryAfter: 7 });
    expect(wire.readProblem({ ...problem, code: "brand_new" })).toBeUndefined();
    expect(wire.readProblem({ ...problem, retryAfter: "7" })).toBeUndefined();
  });

  it("session: a capability of a newer version is passed over", () => {
    const newer = { ...session, capabilities: [...session.capabilities, "brand_new"] };
    expect(wire.readSession(newer)?.capabilities).toEqual(newer.capabilities);
  });

  it("session: a line of a newer version costs only itself", () => {
    const { conversation } = session;
    const marks = [{ seq: 3, at: AT, type: "brand_new" }, ...conversation.marks];
    const newer = { ...session, conversation: { ...conversation, marks } };
    expect(wire.readSession(newer)?.conversation?.marks).toEqual(conversation.marks);
  });

  it("config: the fallback", () => {
    const config = {
      version: "1",
      loader: { version: "1", integrity: "sha384-x", url: "https://chat.example/v/1/widget.js" },
      siteId: "parley",
      identityPolicy: "optional",
      fallback: { kind: "phone", href: "tel:+3110" },
    };
    expect(readConfig.answer.safeParse(config).success).toBe(true);
    expect(wire.readConfig(config)).toEqual({ identityPolicy: "optional", fallback: config.fallback });
    expect(wire.readConfig({ ...config, fallback: { kind: "fax", href: "x" } })).toBeUndefined();
    expect(wire.readConfig({ ...config, identityPolicy: "never" })).toBeUndefined();
  });

  it("a hostile prototype or a getter adds nothing", () => {
    const hostile = JSON.parse(`{"message":${JSON.stringify(own)},"__proto__":{"message":1}}`);
    expect(wire.readSent(hostile)).toEqual({ message: own });
    expect(wire.readSent(Object.create({ message: own }))).toBeUndefined();
    expect(readEvent({ type: "constructor" })).toBeUndefined();
    expect(readEvent({ type: "__proto__" })).toBeUndefined();
  });
});
