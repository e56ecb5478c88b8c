import * as z from "zod/mini";
import {
  type Dialect,
  MAX_ANSWER_TOKENS,
  type ModelEvent,
  type ModelRequest,
  type ToolCall,
  type Turn,
} from "./model-event.ts";
import { faultOf, ModelFault } from "./model-fault.ts";

const Count = z.nullish(z.number().check(z.nonnegative()));
const Item = z.object({
  type: z.nullish(z.string()),
  call_id: z.nullish(z.string()),
  name: z.nullish(z.string()),
  arguments: z.nullish(z.string()),
  content: z.nullish(z.array(z.object({ type: z.nullish(z.string()), text: z.nullish(z.string()) }))),
});
const Response = z.object({
  status: z.nullish(z.string()),
  model: z.nullish(z.string()),
  output: z.nullish(z.array(Item)),
  usage: z.nullish(z.object({ input_tokens: Count, output_tokens: Count })),
  error: z.nullish(z.unknown()),
});
const Said = z.object({
  type: z.nullish(z.string()),
  delta: z.nullish(z.unknown()),
  output_index: z.nullish(z.unknown()),
  item: z.nullish(Item),
  response: z.nullish(Response),
  error: z.nullish(z.unknown()),
  code: z.nullish(z.unknown()),
});

/** Responses: https://www.openresponses.org. The server stores nothing: each call contains the whole conversation. */
export const responsesDialect: Dialect = {
  path: "/responses",
  // Responses are stored unless `store` is false, so it is never left out.
  dispensable: ["max_output_tokens"],
  body: ({ instructions, turns, tools }: ModelRequest, model) => ({
    model,
    instructions,
    input: turns.flatMap(itemsOf),
    ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
    max_output_tokens: MAX_ANSWER_TOKENS,
    stream: true,
    store: false,
  }),
  reader() {
    let end: "whole" | "cut" | undefined;
    let hasBegun = false;
    let hasText = false;
    /** The place of the message that is being written. */
    let place: unknown;
    let name: string | undefined;
    const calls = new Map<string, ToolCall>();
    const begin = (): ModelEvent[] => {
      if (hasBegun) return [];
      hasBegun = true;
      return [{ type: "begun" }];
    };
    const say = (text: string): ModelEvent[] => {
      if (text === "") return [];
      hasText = true;
      return [...begin(), { type: "text", text }];
    };
    const sayAt = (at: unknown, text: string): ModelEvent[] => {
      const isNext = hasText && text !== "" && (at ?? place) !== place;
      if (text !== "") place = at ?? place;
      return say(isNext ? `\n\n${text}` : text);
    };
    const addCall = ({
      type,
      call_id,
      name: tool,
      arguments: input,
    }: z.output<typeof Item>): ModelEvent[] => {
      if (type !== "function_call") return [];
      const id = call_id || `call_${calls.size + 1}`;
      calls.set(id, { id, name: tool ?? "", input: input || "{}" });
      return begin();
    };
    const close = (response: z.output<typeof Response> | null | undefined): ModelEvent[] => {
      const events: ModelEvent[] = [];
      const { output, usage, model, status } = response ?? {};
      if (model && name === undefined) events.push({ type: "model", name: model });
      // A server that streams no items sends the text only here.
      if (!hasText) events.push(...say((output ?? []).flatMap((item) => textOf(item) || []).join("\n\n")));
      const called = (output ?? []).filter(({ type }) => type === "function_call");
      // The calls of the end replace the streamed ones: without ids they can't be told apart.
      if (called.length > 0) calls.clear();
      for (const item of called) events.push(...addCall(item));
      if (usage) {
        const [inputTokens, outputTokens] = [usage.input_tokens ?? 0, usage.output_tokens ?? 0];
        // A server that does not count reports 0: then the length of the text counts.
        if (inputTokens + outputTokens > 0) events.push({ type: "usage", inputTokens, outputTokens });
      }
      end = status === undefined || status === null || status === "completed" ? "whole" : "cut";
      return events;
    };
    return {
      take(value, event) {
        if (end) return [];
        // An answer that was not streamed is the response itself.
        const isResponse = typeof value === "object" && value !== null && "output" in value;
        const parsed = Said.safeParse(isResponse ? { type: "response.completed", response: value } : value);
        if (!parsed.success)
          throw new ModelFault("model_malformed", "The model sent an event of another form.");
        const { delta, output_index: at, item, response, error } = parsed.data;
        const type = parsed.data.type ?? event ?? "";
        if (type === "error" || type === "response.failed" || response?.status === "failed" || error)
          throw faultOf(error ?? response?.error ?? parsed.data);
        switch (type) {
          case "response.created":
            name = response?.model ?? undefined;
            return name === undefined ? [] : [{ type: "model", name }];
          case "response.output_text.delta":
            if (typeof delta === "string") return sayAt(at, delta);
            throw new ModelFault("model_malformed", "The model sent text of another form.");
          case "response.function_call_arguments.delta":
            return begin();
          case "response.output_item.done":
            return item ? addCall(item) : [];
          case "response.completed":
            return close(response);
          case "response.incomplete":
            return close({ ...response, status: "incomplete" });
          default:
            return [];
        }
      },
      done() {
        // This dialect ends with an event of its own.
      },
      isOver: () => end !== undefined,
      end() {
        if (end !== "whole")
          throw new ModelFault("model_cut", "The model's answer was cut off.", {
            isPassing: end === undefined,
          });
        return [...calls.values()].map((call) => ({ type: "call", call }));
      },
    };
  },
};

function textOf({ type, content }: z.output<typeof Item>): string {
  if (type !== "message") return "";
  return (content ?? []).map((part) => (part.type === "output_text" ? (part.text ?? "") : "")).join("");
}

function itemsOf(turn: Turn): object[] {
  switch (turn.role) {
    case "customer":
      return [{ role: "user", content: turn.text }];
    case "agent":
      return [{ role: "assistant", content: turn.text }];
    case "calls":
      return turn.calls.map(({ id, name, input }) => ({
        type: "function_call",
        call_id: id,
        name,
        arguments: input,
      }));
    case "result":
      return [{ type: "function_call_output", call_id: turn.callId, output: turn.text }];
  }
}

function toolOf({ name, description, inputSchema }: ModelRequest["tools"][number]): object {
  return { type: "function", name, description, parameters: inputSchema, strict: false };
}
