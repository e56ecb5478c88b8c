import { randomBytes } from "node:crypto";
import type { FakeService } from "../../service/testing/fake/fake-service.ts";
import type { TurnEvent } from "../../shared/v1/turns.ts";

const NDJSON = "application/x-ndjson";

/** One line of a turn's stream; `unknown` stands for types that a newer service may have. */
export type TurnLine = TurnEvent | { readonly type: string; readonly [key: string]: unknown };

export interface TurnScript {
  readonly lines: readonly TurnLine[];
  /** How the stream ends: properly, cut off by a reset, or held open until it is released. */
  readonly ending: "closed" | "cut" | "held";
}

const REPLY = "Delivery takes 2 to 4 business days.";
const PIECES = ["Delivery takes ", "2 to 4 ", "business days."];

function deltas(messageId: string): TurnLine[] {
  return PIECES.map((delta) => ({ type: "response.delta", messageId, delta }));
}
function completed(messageId: string, body: string): TurnLine {
  return { type: "response.completed", messageId, content: { body, format: "plain" } };
}
type Make = (messageId: string) => TurnScript;
const whole = (...lines: readonly TurnLine[]): TurnScript => ({ lines, ending: "closed" });

/** Streams that other services may send and ours never does. */
const SCRIPTS: Record<string, Make> = {
  "#snapshot": (id) =>
    whole({ type: "response.snapshot", messageId: id, text: PIECES[0] }, completed(id, REPLY)),
  "#clarify": () =>
    whole({ type: "clarification.requested", question: "Which order is it?", fields: [{ name: "order" }] }),
  "#action": () =>
    whole({ type: "action.requested", actionId: "act_1", name: "cancel_order", approvalRequired: true }),
  "#person": () =>
    whole({ type: "handoff.requested", reason: "The customer wants a person", targetHint: "sales" }),
  "#unknown": (id) =>
    whole(
      { type: "response.mood", mood: "sunny" },
      ...deltas(id),
      { type: "tool.trace", steps: [1, 2, 3] },
      completed(id, REPLY),
      { type: "usage", tokens: 12 },
    ),
  "#error": (id) =>
    whole(
      { type: "response.delta", messageId: id, delta: PIECES[0] },
      { type: "error", code: "model_overloaded", message: "UPSTREAM-TEXT-CANARY the model is overloaded" },
    ),
  "#silent": () => whole(),
  "#unfinished": (id) => whole(...deltas(id).slice(0, 2)),
  "#cut": (id) => ({ lines: deltas(id).slice(0, 2), ending: "cut" }),
  "#hold": (id) => ({ lines: deltas(id).slice(0, 1), ending: "held" }),
};

/** The names that a question may contain to choose what its stream says; without one the service's agent answers. */
export const SCRIPT_NAMES = Object.keys(SCRIPTS);

/**
 * Answers a turn that names a script by that script, after the service has stored the message. The returned function
 * ends the streams that `#hold` holds open.
 */
export function playScripts(service: FakeService): () => void {
  const held = new Set<() => void>();
  service.answer("turns", async ({ body, headers }, real) => {
    const answer = await real();
    const { content } = body as { content: { body: string } };
    const name = SCRIPT_NAMES.find((tag) => content.body.includes(tag));
    const make = name === undefined ? undefined : SCRIPTS[name];
    if (!make || !answer.ok || !headers["accept"]?.includes(NDJSON)) return answer;
    await answer.body?.cancel();
    return new Response(play(make(`msg_${randomBytes(9).toString("hex")}`), held), {
      headers: { "content-type": NDJSON, "cache-control": "no-store" },
    });
  });
  return () => {
    for (const end of held) end();
    held.clear();
  };
}

/** Says one line in each turn of the event loop. */
function play({ lines, ending }: TurnScript, held: Set<() => void>): ReadableStream<Uint8Array> {
  const left = lines.map((line) => `${JSON.stringify(line)}\n`);
  // Half a line more, so that the cut is in the middle of one.
  if (ending === "cut") left.push('{"type":"response.del');
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      const line = left.shift();
      if (line !== undefined) return controller.enqueue(Buffer.from(line));
      if (ending === "cut") return controller.error(new Error("cut"));
      if (ending === "held") await new Promise<void>((resolve) => held.add(resolve));
      controller.close();
    },
  });
}
