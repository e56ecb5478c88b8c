import * as z from "zod/mini";
import { Choice, MAX_CHOICES } from "../../../shared/message-kinds/choices.ts";
import { Citation } from "../../../shared/message-kinds/citations.ts";
import type { AgentEvent } from "../agent.ts";
import { ReplyFault } from "./reply-fault.ts";
import type { ReplyReader } from "./reply-reader.ts";
import { createSaidText } from "./said-text.ts";

const Count = z.optional(z.int().check(z.nonnegative()));
const MessageId = z.optional(z.string());
const Line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("response.delta"), messageId: MessageId, delta: z.string() }),
  z.object({ type: z.literal("response.snapshot"), messageId: MessageId, text: z.string() }),
  z.object({
    type: z.literal("response.completed"),
    messageId: MessageId,
    content: z.optional(z.object({ body: z.string() })),
  }),
  z.extend(Citation, { type: z.literal("citation") }),
  z.object({ type: z.literal("choices"), choices: z.array(z.unknown()) }),
  z.object({
    type: z.literal("action.requested"),
    actionId: z.string(),
    name: z.string(),
    input: z.optional(z.unknown()),
  }),
  z.object({ type: z.literal("clarification.requested"), question: z.string() }),
  z.object({ type: z.literal("handoff.requested") }),
  z.object({
    type: z.literal("usage"),
    model: z.optional(z.string()),
    inputTokens: Count,
    outputTokens: Count,
  }),
  z.object({ type: z.literal("error") }),
]);
const KNOWN: ReadonlySet<unknown> = new Set(
  Line.def.options.flatMap(({ shape }) => [...shape.type.def.values]),
);
const Typed = z.object({ type: z.string() });

/** The neutral protocol: one JSON event a line, as in docs/contract.md. `response.completed` ends an answer. */
export function createTurnReader(): ReplyReader {
  const said = createSaidText();
  let messageId: string | undefined;
  let isWhole = false;
  const actions = new Set<string>();
  /** A second answer beside the first is not this answer. */
  const isOther = (id: string | undefined) => {
    messageId ??= id;
    return id !== undefined && id !== messageId;
  };
  return {
    isOver: () => isWhole,
    take(value) {
      const typed = Typed.safeParse(value);
      if (!typed.success) throw malformed();
      if (!KNOWN.has(typed.data.type)) return [];
      const parsed = Line.safeParse(value);
      if (!parsed.success) throw malformed();
      const line = parsed.data;
      switch (line.type) {
        case "response.delta":
          return isOther(line.messageId) ? [] : said.add(line.delta);
        case "response.snapshot":
          return isOther(line.messageId) ? [] : said.whole(line.text);
        case "response.completed": {
          if (isOther(line.messageId)) return [];
          const rest = line.content ? said.whole(line.content.body) : [];
          isWhole = true;
          return rest;
        }
        case "clarification.requested": {
          said.part();
          const asked = said.add(line.question);
          isWhole = true;
          return asked;
        }
        case "error":
          throw new ReplyFault("agent_failed", "The agent reported an error.");
        case "action.requested":
          // An agent that sends one twice asks once.
          if (actions.has(line.actionId)) return [];
          actions.add(line.actionId);
          return [eventOf(line)];
        case "choices":
          return line.choices.flatMap(choiceOf).slice(0, MAX_CHOICES);
        default:
          return [eventOf(line)];
      }
    },
    end() {
      if (!isWhole) throw new ReplyFault("agent_cut", "The agent's answer was cut off.");
      return [];
    },
  };
}

/** A button that breaks the schema is left out: the answer is more than its buttons. */
function choiceOf(given: unknown): readonly AgentEvent[] {
  const { success, data } = Choice.safeParse(given);
  return success ? [{ type: "choice", choice: data }] : [];
}

type Beside = Extract<
  z.output<typeof Line>,
  { type: "citation" | "action.requested" | "handoff.requested" | "usage" }
>;

function eventOf(line: Beside): AgentEvent {
  switch (line.type) {
    case "citation": {
      const { type, ...citation } = line;
      return { type, citation };
    }
    case "action.requested":
      return { type: line.type, actionId: line.actionId, tool: line.name, input: line.input ?? {} };
    case "handoff.requested":
      return { type: "handoff.suggested" };
    case "usage":
      return {
        type: line.type,
        model: line.model ?? "",
        inputTokens: line.inputTokens ?? 0,
        outputTokens: line.outputTokens ?? 0,
      };
  }
}

function malformed(): ReplyFault {
  return new ReplyFault("agent_malformed", "The agent sent an event of another form.");
}
