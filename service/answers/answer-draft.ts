import { isDeepStrictEqual } from "node:util";
import { codePoints, firstCodePoints } from "../../shared/characters.ts";
import { MAX_ANSWER_CODE_POINTS } from "../../shared/limits.ts";
import { Generated, type Message, type Notice } from "../../shared/message.ts";
import { Choice, MAX_CHOICES } from "../../shared/message-kinds/choices.ts";
import { Citation, MAX_CITATIONS } from "../../shared/message-kinds/citations.ts";
import type { NewAction } from "../store/actions.ts";

const MAX_ACTIONS = 3;
/** In UTF-16 units, shown or not: judging it costs processor time. */
const MAX_HEARD = 3 * MAX_ANSWER_CODE_POINTS;

/** Control characters except line feed and tab; shared/text.ts refuses the same ones from people. */
const CONTROL = /[^\P{Cc}\n\t]/gu;
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

/**
 * Used when the agent itself produced no text. The panel shows its own text for the notice, in the customer's language.
 */
const SENTENCES: Record<Notice, string> = {
  agent_failed: "The agent could not answer. You can ask again, or ask for a person.",
  agent_found_nothing: "The agent found no answer. You can ask for a person.",
  answer_cut: "This answer was cut off.",
};

type AnswerEnd = "complete" | "failed" | "interrupted";

/** An answer in progress. An agent's output is data: its length is limited, and its sources are checked. */
export interface AnswerDraft {
  /** Counts what the agent said, of which the guard may withhold everything. */
  hear(delta: string): void;
  /** Adds text and returns the part of it that may be shown; empty if there is none. */
  add(delta: unknown): string;
  /** Adds a source as `judge` returns it. One that breaks the schema or exceeds the limit is left out. */
  cite(citation: unknown, judge: (citation: Citation) => Citation): void;
  /** Adds a quick reply. One that breaks the schema, repeats an id or exceeds the limit is left out. */
  offer(choice: unknown): void;
  foundNothing(): void;
  /** Notes the model that the agent reports. */
  usedModel(model: unknown): void;
  /** Adds an action that needs permission. The same one again, and more than a customer can judge, are left out. */
  request(action: NewAction): void;
  /** Empty unless the answer is complete and not cut at its limit. */
  actions(end: AnswerEnd): readonly NewAction[];
  readonly id: string;
  readonly text: string;
  /** True once a limit is reached; further text is ignored. */
  readonly full: boolean;
  /** Returns the message with the text so far, and a notice if the answer is not complete. */
  message(end: AnswerEnd): Omit<Message, "seq" | "at">;
}

export function createAnswerDraft(answer: { id: string; agent: string; author: string }): AnswerDraft {
  let generated: Generated = { by: answer.agent };
  let text = "";
  let length = 0;
  let heard = 0;
  let half = "";
  let full = false;
  let nothing = false;
  const citations: Citation[] = [];
  const choices: Choice[] = [];
  const actions: NewAction[] = [];

  const askedAt = (end: AnswerEnd) => (end === "complete" && !full ? actions : []);
  const clean = (delta: string) => {
    const joined = half + delta;
    // A surrogate pair can be split between deltas, so the first half waits for the second.
    half = HIGH_SURROGATE_AT_END.exec(joined)?.[0] ?? "";
    const whole = half === "" ? joined : joined.slice(0, -1);
    return whole.replace(/\r\n?/g, "\n").replace(CONTROL, "").toWellFormed();
  };
  return {
    hear(delta) {
      heard += delta.length;
      full ||= heard > MAX_HEARD;
    },
    add(delta) {
      if (full || typeof delta !== "string") return "";
      const cleaned = clean(delta);
      const piece = firstCodePoints(cleaned, MAX_ANSWER_CODE_POINTS - length);
      full = piece.length < cleaned.length;
      length += codePoints(piece);
      text += piece;
      return piece;
    },
    cite(citation, judge) {
      const parsed = Citation.safeParse(citation);
      if (parsed.success && citations.length < MAX_CITATIONS) citations.push(judge(parsed.data));
    },
    offer(choice) {
      const parsed = Choice.safeParse(choice);
      if (!parsed.success || choices.length === MAX_CHOICES) return;
      if (choices.every(({ id }) => id !== parsed.data.id)) choices.push(parsed.data);
    },
    foundNothing() {
      nothing = true;
    },
    usedModel(model) {
      const parsed = Generated.safeParse({ by: answer.agent, model });
      if (parsed.success) generated = parsed.data;
    },
    request(action) {
      const isKnown = ({ tool, input }: NewAction) =>
        tool === action.tool && isDeepStrictEqual(input, action.input);
      if (actions.length < MAX_ACTIONS && !actions.some(isKnown)) actions.push(action);
    },
    actions: askedAt,
    id: answer.id,
    get text() {
      return text;
    },
    get full() {
      return full;
    },
    message(end) {
      // An agent that only asks for an action: its message is what the owner calls that.
      const asked = askedAt(end);
      if (text.trim() === "" && asked.length > 0) {
        const body = asked.map(({ title }) => title).join("\n");
        return { id: answer.id, role: "agent", body, author: { name: answer.author }, generated };
      }
      const failed = end === "failed" || (end === "complete" && text.trim() === "" && !nothing);
      const notice = noticeOf({ failed, full, nothing: nothing && end === "complete" });
      const incomplete = text !== "" && (failed || full || end === "interrupted");
      const own = text.trim() !== "";
      return {
        id: answer.id,
        role: own ? "agent" : "system",
        body: own ? text : SENTENCES[notice ?? "agent_failed"],
        ...(own ? { author: { name: answer.author }, generated } : {}),
        ...(citations.length > 0 ? { citations: [...citations] } : {}),
        // An answer that was cut off may lack the text that its choices refer to.
        ...(end === "complete" && choices.length > 0 ? { choices: [...choices] } : {}),
        ...(incomplete && own ? { incomplete: true } : {}),
        ...(notice ? { notice } : {}),
      };
    },
  };
}

function noticeOf(state: { failed: boolean; full: boolean; nothing: boolean }): Notice | undefined {
  if (state.failed) return "agent_failed";
  if (state.full) return "answer_cut";
  return state.nothing ? "agent_found_nothing" : undefined;
}
