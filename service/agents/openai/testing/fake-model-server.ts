import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import * as z from "zod/mini";
import { listenOnFreePort } from "../../../../shared/testing/listen.ts";

/** A call as a server of this protocol insists on it. */
const ChatBody = z.object({
  model: z.string().check(z.minLength(1)),
  stream: z.literal(true),
  store: z.optional(z.literal(false)),
  messages: z.array(
    z.object({
      role: z.enum(["system", "user", "assistant", "tool"]),
      content: z.nullable(z.string()),
      tool_call_id: z.optional(z.string()),
      tool_calls: z.optional(z.array(z.unknown())),
    }),
  ),
  tools: z.optional(z.array(z.unknown())),
});
const ResponsesBody = z.object({
  model: z.string().check(z.minLength(1)),
  stream: z.literal(true),
  store: z.literal(false),
  instructions: z.string(),
  input: z.array(z.looseObject({})),
  tools: z.optional(z.array(z.unknown())),
});

export interface ModelCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON as it was sent. */
  readonly text: string;
  readonly body: z.output<typeof ChatBody> | z.output<typeof ResponsesBody>;
}

/** What the server does with a call. `hold` leaves the connection open, `break` destroys it. */
export interface ModelReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks?: readonly (string | Uint8Array)[];
  readonly after?: "end" | "hold" | "break";
}

export interface FakeModelServer {
  /** With `/v1`. */
  readonly url: string;
  readonly calls: readonly ModelCall[];
  /** How many connections clients closed in the middle of an answer. */
  readonly left: () => number;
  /** Replaces what is answered to the next calls; the last reply stays. */
  reply(...replies: readonly (ModelReply | ((call: ModelCall) => ModelReply))[]): void;
  /** The models that it lists. */
  list(...models: readonly string[]): void;
  /** Whether everything is answered with 503, as while it restarts. */
  setAway(isAway: boolean): void;
  close(): Promise<void>;
}

/** A model server on a real port that speaks Chat Completions and Responses, and refuses unknown fields. */
export async function startFakeModelServer(): Promise<FakeModelServer> {
  const calls: ModelCall[] = [];
  let replies: readonly (ModelReply | ((call: ModelCall) => ModelReply))[] = [quoteFirstSource];
  let left = 0;
  let models: readonly string[] = [];
  let isAway = false;
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? "";
      if (isAway) return void response.writeHead(503).end("{}");
      if (path === "/v1/models")
        return void response.end(JSON.stringify({ object: "list", data: models.map((id) => ({ id })) }));
      const schema = { "/v1/chat/completions": ChatBody, "/v1/responses": ResponsesBody }[path];
      if (!schema) return void response.writeHead(404).end("{}");
      const text = await readText(request);
      const parsed = schema.safeParse(JSON.parse(text));
      if (!parsed.success)
        return void response.writeHead(400).end('{"error":{"type":"invalid_request_error"}}');
      const call = { path, headers: request.headers, text, body: parsed.data };
      calls.push(call);
      const [next] = replies;
      if (replies.length > 1) replies = replies.slice(1);
      response.on("close", () => {
        if (!response.writableFinished) left += 1;
      });
      send(response, typeof next === "function" ? next(call) : (next ?? {}));
    })();
  });
  const { url, close } = await listenOnFreePort(server);
  return {
    url: `${url}/v1`,
    calls,
    left: () => left,
    reply(...next) {
      replies = next;
    },
    list(...names) {
      models = names;
    },
    setAway(now) {
      isAway = now;
    },
    close,
  };
}

function send(
  response: ServerResponse,
  { status = 200, headers = {}, chunks = [], after = "end" }: ModelReply,
): void {
  response.writeHead(status, { "content-type": "text/event-stream", ...headers });
  for (const chunk of chunks) response.write(chunk);
  if (after === "end") response.end();
  if (after === "break") response.flushHeaders();
  if (after === "break") setImmediate(() => response.destroy());
  if (after === "hold") response.flushHeaders();
}

/** Streams a whole answer as Chat Completions, with the given pieces of text. */
export function chatAnswer(...pieces: readonly string[]): ModelReply {
  return { chunks: [...pieces.map(chatText), chatEnd("stop"), chatUsage(100, 20), "data: [DONE]\n\n"] };
}

export function chatText(content: string): string {
  return chatChunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
}

export function chatCall(name: string, input: object): string {
  const call = {
    index: 0,
    id: "call_a",
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  };
  return chatChunk({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] });
}

export function chatEnd(reason: string): string {
  return chatChunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
}

export function chatUsage(input: number, output: number): string {
  return chatChunk({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } });
}

function chatChunk(more: object): string {
  const chunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: "fake-1", ...more };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** Streams a whole answer as Responses. */
export function responsesAnswer(...pieces: readonly string[]): ModelReply {
  const response = { id: "r1", object: "response", model: "fake-1", status: "in_progress", output: [] };
  const part = { item_id: "m1", output_index: 0, content_index: 0 };
  const usage = { input_tokens: 100, output_tokens: 20 };
  return {
    chunks: [
      named({ type: "response.created", response }),
      ...pieces.map((delta) => named({ type: "response.output_text.delta", ...part, delta })),
      named({ type: "response.output_text.done", ...part, text: pieces.join("") }),
      named({ type: "response.completed", response: { ...response, status: "completed", usage } }),
    ],
  };
}

export function named(event: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A model that answers with the first sentence of its first source. */
function quoteFirstSource({ body, path }: ModelCall): ModelReply {
  const instructions = "messages" in body ? (body.messages[0]?.content ?? "") : body.instructions;
  const [, source = ""] = /\n\[1\] [^\n]*\n([\s\S]*?)(?:\n\n\[2\]|$)/.exec(instructions) ?? [];
  const [sentence = "I do not know."] = /[^.\n]{20,}\./.exec(source) ?? [];
  const words = `${sentence.slice(0, -1)} [1].`.match(/\S+\s*/g) ?? [];
  return path.endsWith("responses") ? responsesAnswer(...words) : chatAnswer(...words);
}
