import { firstCodePoints } from "../../shared/characters.ts";
import { MAX_ANSWER_CODE_POINTS } from "../../shared/limits.ts";
import type { Message, Notice } from "../../shared/message.ts";
import type { Choices } from "../../shared/message-kinds/choices.ts";
import { type Citation, MAX_CITATIONS } from "../../shared/message-kinds/citations.ts";
import type { TurnEvent } from "../../shared/v1/turns.ts";
import type { Verified } from "../upstream/verified.ts";
import { factsOf } from "./feed-snapshot.ts";
import type { Draft, Feeds, LogName } from "./feeds.ts";

const MAX_FIELDS = 20;
const MAX_REASON = 500;
const MAX_ACTION_NAME = 200;

/** One turn of the agent, as it is stored in the log. */
export type AgentAnswer = ReturnType<typeof createAgentAnswer>;

interface Writing {
  readonly id: string;
  readonly upstreamId: string;
  text: string;
  isCut: boolean;
}

/**
 * Converts the events of one turn's stream into live pieces and log entries. `proof` shows that the turn was accepted;
 * `customerSeq` is the position of the message that it answers.
 */
export function createAgentAnswer(deps: {
  readonly feeds: Feeds;
  readonly log: LogName;
  readonly proof: Verified<unknown>;
  readonly customerSeq: number;
}) {
  const { feeds, log, proof, customerSeq } = deps;
  let count = 0;
  let hasSpoken = false;
  let isTaken = false;
  let citations: Citation[] = [];
  let choices: Choices = [];
  let writing: Writing | undefined;

  // Our own ids, because no service guarantees that the ids of two turns differ.
  const newId = () => `a${customerSeq}.${++count}`;
  const add = (draft: Draft) => {
    hasSpoken = true;
    return feeds.append(log, proof, [draft], customerSeq);
  };
  const say = (message: Omit<Message, "seq" | "at">) => add({ type: "message.created", message });
  /** Citations and choices belong to the message that completes next. */
  function takeExtras() {
    const extras = {
      ...(citations.length > 0 ? { citations: citations.slice(0, MAX_CITATIONS) } : {}),
      ...(choices.length > 0 ? { choices } : {}),
    };
    citations = [];
    choices = [];
    return extras;
  }

  async function breakOff(): Promise<void> {
    const broken = writing;
    writing = undefined;
    choices = [];
    if (!broken || broken.text.trim() === "") return;
    const { id, text: body } = broken;
    await say({ id, role: "agent", body, incomplete: true, ...takeExtras() });
  }

  async function writingOf(upstreamId: string): Promise<Writing> {
    if (writing && writing.upstreamId !== upstreamId) await breakOff();
    writing ??= { id: newId(), upstreamId, text: "", isCut: false };
    return writing;
  }

  /** White space does not count as typing. */
  function show(message: Writing, before: string): void {
    const { id: messageId, text } = message;
    if (text === before || text.trim() === "") return;
    const isGrown = text.startsWith(before) && before.trim() !== "";
    if (isGrown) feeds.signal(log, { type: "response.delta", messageId, delta: text.slice(before.length) });
    else feeds.signal(log, { type: "response.snapshot", messageId, text });
  }

  async function write(upstreamId: string, next: (text: string) => string): Promise<void> {
    const message = await writingOf(upstreamId);
    if (message.isCut) return;
    const before = message.text;
    const text = next(before);
    message.text = shortened(text);
    message.isCut = message.text !== text;
    show(message, before);
  }

  async function complete(upstreamId: string, whole: string): Promise<void> {
    const { id, text } = await writingOf(upstreamId);
    writing = undefined;
    const said = whole.trim() === "" ? text : whole;
    const body = shortened(said);
    if (body.trim() === "") return addNotice("agent_failed");
    const cut = body === said ? {} : { incomplete: true };
    await say({ id, role: "agent", body, ...cut, ...takeExtras() });
  }

  /** An action is requested once, because the customer's answer names only its id. */
  async function isAsked(actionId: string): Promise<boolean> {
    const { actions = [] } = factsOf(await feeds.read(log));
    return actions.some((action) => action.actionId === actionId);
  }

  async function addNotice(notice: Notice): Promise<void> {
    await say({ id: newId(), role: "system", body: "", notice });
  }

  return {
    async take(event: TurnEvent): Promise<void> {
      switch (event.type) {
        case "response.delta":
          return write(event.messageId, (text) => text + cleaned(event.delta));
        case "response.snapshot":
          return write(event.messageId, () => cleaned(event.text));
        case "response.completed":
          return complete(event.messageId, cleaned(event.content.body));
        case "citation": {
          const { type: _, ...citation } = event;
          citations.push(citation);
          return;
        }
        case "choices":
          choices = event.choices;
          return;
        case "clarification.requested": {
          const body = shortened(questionOf(event));
          if (body !== "") await say({ id: newId(), role: "agent", body });
          return;
        }
        case "action.requested": {
          const name = oneLine(event.name, MAX_ACTION_NAME);
          if (!event.approvalRequired || name === "" || (await isAsked(event.actionId))) return;
          await add({ type: "action.requested", action: { actionId: event.actionId, name } });
          return;
        }
        case "handoff.requested":
          await add({ type: "handoff.suggested", reason: oneLine(event.reason, MAX_REASON) });
          return;
        case "error":
          await breakOff();
          return addNotice("agent_failed");
        case "turn.accepted":
          isTaken = true;
          return;
        case "usage":
          return;
      }
    },
    /**
     * Stores an unfinished message as incomplete, or a notice that there was no answer. `isWhole`: the stream ended
     * regularly.
     */
    async finish(isWhole: boolean): Promise<void> {
      await breakOff();
      // Accepted without an answer: a person was asked for, so no software answers.
      if (!hasSpoken && !(isTaken && isWhole)) await addNotice("agent_failed");
    },
  };
}

const shortened = (text: string) => firstCodePoints(text, MAX_ANSWER_CODE_POINTS);

/** Removes control characters, which mean nothing in a chat. */
function cleaned(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, "");
}

function oneLine(text: string, max: number): string {
  const line = text.toWellFormed().replace(/[\s\p{Cc}]+/gu, " ");
  return firstCodePoints(line.trim(), max).trim();
}

/** The question, followed by one line for each requested field. */
function questionOf(event: Extract<TurnEvent, { type: "clarification.requested" }>): string {
  const names = (event.fields ?? []).slice(0, MAX_FIELDS).map(fieldName).filter(Boolean);
  const question = cleaned(event.question).trim();
  return [question, names.map((name) => `- ${name}`).join("\n")].filter(Boolean).join("\n\n");
}

/** The contract does not specify a field's form: a text, or an object with a name. */
function fieldName(field: unknown): string {
  if (typeof field === "string") return oneLine(field, MAX_ACTION_NAME);
  if (typeof field !== "object" || field === null) return "";
  const { label, title, name } = field as Record<string, unknown>;
  const word = [label, title, name].find((one) => typeof one === "string");
  return typeof word === "string" ? oneLine(word, MAX_ACTION_NAME) : "";
}
