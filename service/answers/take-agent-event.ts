import type { Choice } from "../../shared/message-kinds/choices.ts";
import { type Citation, MAX_TITLE } from "../../shared/message-kinds/citations.ts";
import type { Log } from "../../shared/server/log.ts";
import type { AgentEvent } from "../agents/agent.ts";
import { LEFT_OUT } from "../guard/addresses-guard.ts";
import type { AnswerGuard } from "../guard/answer-guard.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { AnswerDraft } from "./answer-draft.ts";

/** The guard reads a long word again and again, so it gets a delta in pieces. Whole characters, for surrogate pairs. */
const PIECES = /[\s\S]{1,1000}/gu;
const MAX_PIECE = 1000;
const ASK_FOR_PERSON: Choice = { id: "person", choice: "handoff" };

/** Adds one agent event to the draft of the answer, and returns the text that may be shown now. */
export function takeAgentEvent(
  event: AgentEvent,
  draft: AnswerDraft,
  {
    agent,
    log,
    toolbox,
    guard,
  }: { agent: string; log: Log; toolbox: Pick<Toolbox, "prepare">; guard: AnswerGuard },
): string {
  switch (event.type) {
    case "delta":
      // A real agent's output is data, whatever its type says.
      return typeof event.text === "string" ? addText(event.text, draft, guard) : "";
    case "citation":
      draft.cite(event.citation, (citation) => judged(citation, event.isOwners, guard));
      return "";
    case "source":
      if (typeof event.text !== "string") return "";
      guard.allow(event.text);
      if (event.isArticle) guard.quote(event.text);
      return "";
    case "choice":
      if (guard.accepts(wordsOf(event.choice))) draft.offer(event.choice);
      return "";
    case "nothing.found":
      draft.foundNothing();
      draft.offer(ASK_FOR_PERSON);
      return "";
    case "handoff.suggested":
      draft.offer(ASK_FOR_PERSON);
      return "";
    // Only the desk shows these (made-notes.ts).
    case "passage":
    case "no.quote":
      return "";
    case "action.requested":
      // Nothing runs: somebody is asked for permission, after the answer.
      guard.ask(event.tool);
      requestAction(event, draft, { agent, log, toolbox });
      return "";
    case "usage": {
      const { model, inputTokens, outputTokens, isEstimate } = event;
      draft.usedModel(model);
      log.info({ agent, model, inputTokens, outputTokens, isEstimate }, "an answer was paid for");
      return "";
    }
  }
}

/** Lets the text repeat a source, and returns the source as the customer may see it. */
function judged(source: Citation, isOwners: boolean | undefined, guard: AnswerGuard): Citation {
  const { url, ...named } = source;
  const { title, excerpt = "" } = named;
  for (const text of [url, excerpt]) guard.allow(text ?? "");
  guard.quote(excerpt);
  // A tool's result has a title, which its server chose, and no excerpt.
  if (isOwners && excerpt !== "") guard.quote(title);
  if (isOwners) return source;
  // A transcript shows the address as text: one word can't claim much.
  const host = url && /^https?:\S+$/i.test(url) ? URL.parse(url)?.host.slice(0, MAX_TITLE) : undefined;
  return {
    ...named,
    title: guard.accepts(title) ? title : (host ?? LEFT_OUT),
    ...(url && host ? { url } : {}),
  };
}

function addText(text: string, draft: AnswerDraft, guard: AnswerGuard): string {
  let shown = "";
  const pieces = text.length > MAX_PIECE ? (text.match(PIECES) ?? []) : [text];
  for (const piece of pieces) {
    if (draft.full) break;
    draft.hear(piece);
    shown += draft.add(guard.add(piece));
  }
  return shown;
}

function requestAction(
  { tool, input }: Extract<AgentEvent, { type: "action.requested" }>,
  draft: AnswerDraft,
  { agent, log, toolbox }: { agent: string; log: Log; toolbox: Pick<Toolbox, "prepare"> },
): void {
  const prepared = toolbox.prepare(tool, input);
  if (!("refused" in prepared)) draft.request(prepared);
  else log.warn({ agent, reason: prepared.refused }, "an agent asked for an action that it was not offered");
}

/** Adds the rest of an answer that is over, and offers a person where a claim was withheld. */
export function takeAgentEnd(draft: AnswerDraft, guard: AnswerGuard): void {
  draft.add(guard.end());
  if (guard.hasWithheld) draft.offer(ASK_FOR_PERSON);
}

/** What a quick reply shows and sends; an invalid one is refused later. */
function wordsOf(choice: unknown): string {
  const { label, send } = (choice ?? {}) as { readonly label?: unknown; readonly send?: unknown };
  return [label, send].filter((words) => typeof words === "string").join("\n");
}
