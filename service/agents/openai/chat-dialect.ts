import * as z from "zod/mini";
import { createCallPieces } from "./call-pieces.ts";
import {
  type Dialect,
  MAX_ANSWER_TOKENS,
  type ModelEvent,
  type ModelRequest,
  type Turn,
} from "./model-event.ts";
import { faultOf, ModelFault } from "./model-fault.ts";

const Count = z.nullish(z.number().check(z.nonnegative()));
const Part = z.object({ type: z.nullish(z.string()), text: z.nullish(z.string()) });
const Delta = z.object({
  content: z.nullish(z.union([z.string(), z.array(Part)])),
  tool_calls: z.nullish(
    z.array(
      z.object({
        index: z.nullish(z.number()),
        id: z.nullish(z.string()),
        function: z.nullish(
          z.object({
            name: z.nullish(z.string()),
            arguments: z.nullish(z.union([z.string(), z.looseObject({})])),
          }),
        ),
      }),
    ),
  ),
});
/** A part of another type may be the model's thoughts. */
const TEXTS: ReadonlySet<string> = new Set(["text", "output_text"]);
/** Servers add fields and leave others out: only what an answer is made of is checked. */
const Chunk = z.object({
  model: z.nullish(z.string()),
  choices: z.nullish(
    z.array(
      z.object({
        index: z.nullish(z.number()),
        delta: z.nullish(Delta),
        message: z.nullish(Delta),
        finish_reason: z.nullish(z.string()),
      }),
    ),
  ),
  usage: z.nullish(z.object({ prompt_tokens: Count, completion_tokens: Count })),
  error: z.nullish(z.unknown()),
});

/**
 * Reasons after which an answer is whole; Together and TGI name the token that ends it. Any other one, such as `length` or
 * `content_filter`, cut it.
 */
const WHOLE: ReadonlySet<string> = new Set(["stop", "tool_calls", "function_call", "eos", "eos_token"]);

/** Chat Completions: https://platform.openai.com/docs/api-reference/chat. Nearly every server speaks it. */
export const chatDialect: Dialect = {
  path: "/chat/completions",
  // Chat Completions store nothing unless asked, and a server that does not know `store` stores nothing by it.
  dispensable: ["stream_options", "store", "max_tokens"],
  body: ({ instructions, turns, tools }: ModelRequest, model) => ({
    model,
    messages: [{ role: "system", content: instructions }, ...turns.map(messageOf)],
    ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
    max_tokens: MAX_ANSWER_TOKENS,
    stream: true,
    stream_options: { include_usage: true },
    store: false,
  }),
  reader() {
    let reason: string | undefined;
    let isDone = false;
    let hasBegun = false;
    let hasChoice = false;
    let name: string | undefined;
    const calls = createCallPieces();
    const begin = (): ModelEvent[] => {
      if (hasBegun) return [];
      hasBegun = true;
      return [{ type: "begun" }];
    };
    return {
      take(value, event) {
        if (isDone) return [];
        const parsed = Chunk.safeParse(value);
        if (!parsed.success)
          throw new ModelFault("model_malformed", "The model sent an event of another form.");
        const { choices, usage, model, error } = parsed.data;
        const events: ModelEvent[] = [];
        // Anything after the end of an answer does not change it.
        if (reason === undefined && (event === "error" || (error ?? false) !== false)) throw faultOf(error);
        if (model && name === undefined) {
          name = model;
          events.push({ type: "model", name });
        }
        // A second answer beside the first has another index, one after it follows the end: neither is wanted.
        const choice = reason === undefined ? choices?.find(({ index }) => (index ?? 0) === 0) : undefined;
        hasChoice ||= choice !== undefined;
        const delta = choice?.delta ?? choice?.message;
        const text = textOf(delta?.content);
        if (text !== "") events.push(...begin(), { type: "text", text });
        for (const piece of delta?.tool_calls ?? []) {
          events.push(...begin());
          calls.add({
            index: piece.index ?? undefined,
            id: piece.id || undefined,
            name: piece.function?.name || undefined,
            input: inputOf(piece.function?.arguments),
          });
        }
        if (choice?.finish_reason) reason = choice.finish_reason;
        if (usage) {
          const [inputTokens, outputTokens] = [usage.prompt_tokens ?? 0, usage.completion_tokens ?? 0];
          // A server that does not count reports 0: then the length of the text counts.
          if (inputTokens + outputTokens > 0) events.push({ type: "usage", inputTokens, outputTokens });
        }
        return events;
      },
      done() {
        isDone = true;
      },
      isOver: () => isDone,
      end() {
        // Without a choice the server speaks another protocol: that is no empty answer.
        const isWhole = reason === undefined ? isDone && hasChoice : WHOLE.has(reason);
        if (!isWhole)
          throw new ModelFault("model_cut", "The model's answer was cut off.", {
            isPassing: reason === undefined,
          });
        return calls.whole().map((call) => ({ type: "call", call }));
      },
    };
  },
};

function textOf(content: string | readonly z.output<typeof Part>[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ type, text }) => (TEXTS.has(type ?? "text") ? (text ?? "") : "")).join("");
}

function inputOf(input: string | object | null | undefined): string {
  return typeof input === "object" && input !== null ? JSON.stringify(input) : (input ?? "");
}

function messageOf(turn: Turn): object {
  switch (turn.role) {
    case "customer":
      return { role: "user", content: turn.text };
    case "agent":
      return { role: "assistant", content: turn.text };
    case "calls": {
      const calls = turn.calls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: input },
      }));
      return { role: "assistant", content: null, tool_calls: calls };
    }
    case "result":
      return { role: "tool", tool_call_id: turn.callId, content: turn.text };
  }
}

function toolOf({ name, description, inputSchema }: ModelRequest["tools"][number]): object {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}
