import type { TurnEvent } from "../../shared/v1/turns.ts";

/** One line of a turn's stream; `unknown` stands for the types that a newer service may have. */
export type TurnLine = TurnEvent | { readonly type: string; readonly [key: string]: unknown };

export interface TurnScript {
  readonly lines: readonly TurnLine[];
  /** How the stream is left: closed as it should be, cut off by a reset, or held open until `release()`. */
  readonly ending: "closed" | "cut" | "held";
  /** What the agent said in the end, for a service that keeps a log; absent where it said nothing whole. */
  readonly reply: string | undefined;
}

const REPLY = "Delivery takes 2 to 4 business days.";
const PIECES = ["Delivery takes ", "2 to 4 ", "business days."];

function deltas(messageId: string): TurnLine[] {
  return PIECES.map((delta) => ({ type: "response.delta", messageId, delta }));
}
function completed(messageId: string, body: string): TurnLine {
  return { type: "response.completed", messageId, content: { body, format: "plain" } };
}
const CITATION: TurnLine = {
  type: "citation",
  citationId: "shipping-2",
  title: "Shipping",
  url: "https://shop.example/help/shipping",
  excerpt: "Parcels arrive after 2 to 4 business days.",
};

type Make = (messageId: string) => TurnScript;
const whole = (lines: readonly TurnLine[], reply: string | undefined): TurnScript => ({
  lines,
  ending: "closed",
  reply,
});

const SCRIPTS: Record<string, Make> = {
  "#snapshot": (id) =>
    whole([{ type: "response.snapshot", messageId: id, text: PIECES[0] }, completed(id, REPLY)], REPLY),
  "#clarify": () =>
    whole(
      [{ type: "clarification.requested", question: "Which order is it?", fields: [{ name: "order" }] }],
      undefined,
    ),
  "#action": () =>
    whole(
      [{ type: "action.requested", actionId: "act_1", name: "cancel_order", approvalRequired: true }],
      undefined,
    ),
  "#person": () =>
    whole(
      [{ type: "handoff.requested", reason: "The customer wants a person", targetHint: "sales" }],
      undefined,
    ),
  "#unknown": (id) =>
    whole(
      [
        { type: "response.mood", mood: "sunny" },
        ...deltas(id),
        { type: "tool.trace", steps: [1, 2, 3] },
        completed(id, REPLY),
        { type: "usage", tokens: 12 },
      ],
      REPLY,
    ),
  "#error": (id) =>
    whole(
      [
        { type: "response.delta", messageId: id, delta: PIECES[0] },
        { type: "error", code: "model_overloaded", message: "UPSTREAM-TEXT-CANARY the model is overloaded" },
      ],
      undefined,
    ),
  "#silent": () => whole([], undefined),
  "#unfinished": (id) => whole(deltas(id).slice(0, 2), undefined),
  "#cut": (id) => ({ lines: deltas(id).slice(0, 2), ending: "cut", reply: undefined }),
  "#hold": (id) => ({ lines: deltas(id).slice(0, 1), ending: "held", reply: undefined }),
};

/** The names that a question may carry to choose what its answer does; without one the agent simply answers. */
export const SCRIPT_NAMES = Object.keys(SCRIPTS);

/** What the agent does with a question. */
export function scriptFor(question: string, messageId: string): TurnScript {
  const name = SCRIPT_NAMES.find((tag) => question.includes(tag));
  const make = name === undefined ? undefined : SCRIPTS[name];
  if (make) return make(messageId);
  return whole([...deltas(messageId), CITATION, { type: "usage" }, completed(messageId, REPLY)], REPLY);
}
