import { CHAT_STREAMS } from "./hostile-chat-streams.ts";
import { RESPONSES_STREAMS } from "./hostile-responses-streams.ts";
import { bytesOf, type HostileStream, type Row } from "./hostile-stream.ts";

const JSON_ROWS: readonly Row[] = [
  [
    "an answer that is not streamed",
    JSON.stringify({
      model: "m",
      choices: [{ index: 0, message: { content: "Half an answer" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    }),
    "Half an answer",
    "whole",
  ],
  [
    "one that ends with length",
    JSON.stringify({ choices: [{ message: { content: "Half" }, finish_reason: "length" }] }),
    "Half",
    "model_cut",
  ],
  ["an error with 200", JSON.stringify({ error: { message: "x" } }), "", "model_failed"],
  ["an empty document", "", "", "model_malformed"],
  ["a document of another protocol", '{"message":{"content":"Half an answer"},"done":true}', "", "model_cut"],
];

const rowsOf = (rows: readonly Row[], dialect: "chat" | "responses", isJson: boolean): HostileStream[] =>
  rows.map(([name, stream, text, end, calls = []]) => ({
    name: `${isJson ? "JSON" : dialect}: ${name}`,
    dialect,
    isJson,
    bytes: bytesOf(stream),
    text,
    end,
    calls,
  }));

/** What real servers send, and what broken ones do. */
export const HOSTILE_STREAMS: readonly HostileStream[] = [
  ...rowsOf(CHAT_STREAMS, "chat", false),
  ...rowsOf(RESPONSES_STREAMS, "responses", false),
  ...rowsOf(JSON_ROWS, "chat", true),
];
