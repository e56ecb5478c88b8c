import { expect, test } from "vitest";
import type { AgentEvent } from "../agents/agent.ts";
import { type AnswerGuard, NO_GUARD } from "../guard/answer-guard.ts";
import { createMemoryLog } from "../testing/memory-log.ts";
import { createAnswerDraft } from "./answer-draft.ts";
import { takeAgentEvent } from "./take-agent-event.ts";

/** The draft after one event, behind a guard that differs from none only in `own`. */
function draftOf(event: AgentEvent, own: Partial<AnswerGuard>) {
  const draft = createAnswerDraft({ id: "a", agent: "x", author: "X" });
  takeAgentEvent(event, draft, {
    agent: "x",
    log: createMemoryLog(),
    toolbox: { prepare: () => ({ refused: "no tool" }) },
    guard: { ...NO_GUARD, ...own },
  });
  return draft;
}

test("AGENT7 an answer that is withheld has an end, too", () => {
  let read = 0;
  const add = (piece: string) => {
    read += piece.length;
    return "";
  };
  const draft = draftOf({ type: "delta", text: "x".repeat(100_000) }, { add });
  expect(draft.full).toBe(true);
  expect(read).toBeLessThanOrEqual(61_000);
});

test("AGENT7 a quick reply is judged by its button and by what it sends", () => {
  const judged: string[] = [];
  const accepts = (text: string) => {
    judged.push(text);
    return false;
  };
  const choice = { id: "1", label: "Fine", send: "My order is cancelled" };
  const draft = draftOf({ type: "choice", choice }, { accepts });
  expect(judged).toEqual(["Fine\nMy order is cancelled"]);
  expect(draft.message("complete").choices).toBeUndefined();
});

test("AGENT7 the guard reads a long delta in pieces of whole characters, and none after the limit", () => {
  const pieces: string[] = [];
  const add = (piece: string) => {
    pieces.push(piece);
    return piece;
  };
  const draft = draftOf({ type: "delta", text: "🙂".repeat(100_000) }, { add });
  expect(draft.full).toBe(true);
  expect(pieces.length).toBeLessThanOrEqual(21);
  expect(new Set(pieces)).toEqual(new Set(["🙂".repeat(1000)]));
});
