import { chatCall, chatEnd, chatText, chatUsage } from "./fake-model-server.ts";
import { bytesOf, DONE, LOOK_UP, type Row } from "./hostile-stream.ts";

const HALF = chatText("Half ") + chatText("an answer");
const STOP = chatEnd("stop") + DONE;

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const choice = (more: object) => data({ choices: [{ index: 0, ...more }] });
const delta = (more: object) => choice({ delta: more });
const piece = (more: object) => delta({ tool_calls: [more] });

/** Streams of `/chat/completions`. */
export const CHAT_STREAMS: readonly Row[] = [
  ["a plain answer", HALF + STOP, "Half an answer", "whole"],
  ["an answer beyond ASCII", chatText("Größe 😀 配送") + STOP, "Größe 😀 配送", "whole"],
  [
    "the usage comes last, without a choice",
    HALF + chatEnd("stop") + chatUsage(1, 2) + DONE,
    "Half an answer",
    "whole",
  ],
  [
    "usage with every chunk",
    chatText("Half ") + chatUsage(1, 1) + chatText("an answer") + chatUsage(1, 2) + STOP,
    "Half an answer",
    "whole",
  ],
  ["a stream that stops", HALF, "Half an answer", "model_cut"],
  ["a stream that stops before anything", "", "", "model_cut"],
  ["no finish_reason, but [DONE]", HALF + DONE, "Half an answer", "whole"],
  ["[DONE] and no answer", data({ id: "x" }) + DONE, "", "model_cut"],
  ["a finish_reason without [DONE]", HALF + chatEnd("stop"), "Half an answer", "whole"],
  ["finish_reason length", HALF + chatEnd("length") + DONE, "Half an answer", "model_cut"],
  ["finish_reason content_filter", HALF + chatEnd("content_filter") + DONE, "Half an answer", "model_cut"],
  ["a finish_reason that nobody knows", HALF + chatEnd("paused") + DONE, "Half an answer", "model_cut"],
  ["finish_reason eos", HALF + chatEnd("eos") + DONE, "Half an answer", "whole"],
  ["finish_reason eos_token", HALF + chatEnd("eos_token") + DONE, "Half an answer", "whole"],
  ["an empty finish_reason", HALF + choice({ delta: {}, finish_reason: "" }), "Half an answer", "model_cut"],
  [
    "the end comes with the last text",
    chatText("Half ") + choice({ delta: { content: "an answer" }, finish_reason: "stop" }),
    "Half an answer",
    "whole",
  ],
  ["deltas after the end", HALF + chatEnd("stop") + chatText(" and more") + DONE, "Half an answer", "whole"],
  ["two ends", HALF + chatEnd("stop") + chatEnd("length") + DONE, "Half an answer", "whole"],
  ["[DONE] twice", HALF + STOP + DONE, "Half an answer", "whole"],
  ["text after [DONE]", HALF + STOP + chatText("again"), "Half an answer", "whole"],
  ["two answers, one after the other", HALF + STOP + HALF + STOP, "Half an answer", "whole"],
  [
    "two answers beside each other",
    chatText("Half ") +
      data({ choices: [{ index: 1, delta: { content: "No" } }] }) +
      chatText("an answer") +
      data({ choices: [{ index: 1, delta: {}, finish_reason: "stop" }] }) +
      STOP,
    "Half an answer",
    "whole",
  ],
  [
    "only the other answer ends",
    HALF + data({ choices: [{ index: 1, delta: {}, finish_reason: "stop" }] }),
    "Half an answer",
    "model_cut",
  ],
  [
    "a choice without index",
    data({ choices: [{ delta: { content: "Half an answer" } }] }) +
      data({ choices: [{ delta: {}, finish_reason: "stop" }] }),
    "Half an answer",
    "whole",
  ],
  [
    "empty choices first",
    data({ choices: [], prompt_filter_results: [{}] }) + HALF + STOP,
    "Half an answer",
    "whole",
  ],
  ["no choices at all", data({ id: "x" }) + HALF + STOP, "Half an answer", "whole"],
  ["choices that are null", data({ choices: null }) + HALF + STOP, "Half an answer", "whole"],
  ["a delta that is null", choice({ delta: null }) + HALF + STOP, "Half an answer", "whole"],
  [
    "content that is null",
    delta({ role: "assistant", content: null }) + HALF + STOP,
    "Half an answer",
    "whole",
  ],
  [
    "content in parts",
    delta({ content: [{ type: "text", text: "Half an answer" }] }) + STOP,
    "Half an answer",
    "whole",
  ],
  [
    "thoughts among the parts of content",
    delta({ content: [{ type: "reasoning", text: "Hm" }, { text: "Half " }] }) +
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] }) +
      delta({ content: [{ type: "text", text: "an answer" }] }) +
      STOP,
    "Half an answer",
    "whole",
  ],
  ["content that is a number", HALF + delta({ content: 42 }) + STOP, "Half an answer", "model_malformed"],
  [
    "content that is an object",
    HALF + delta({ content: { text: "x" } }) + STOP,
    "Half an answer",
    "model_malformed",
  ],
  ["choices that are an object", data({ choices: { 0: {} } }) + STOP, "", "model_malformed"],
  ["a chunk that is a list", data([1, 2]) + STOP, "", "model_malformed"],
  ["a chunk that is text", `${HALF}data: "hello"\n\n${STOP}`, "Half an answer", "model_malformed"],
  ["a chunk that is null", `${HALF}data: null\n\n${STOP}`, "Half an answer", "model_malformed"],
  ["a chunk that is not JSON", `${HALF}data: {"choices":[\n\n${STOP}`, "Half an answer", "model_malformed"],
  [
    "reasoning of three names",
    delta({ reasoning_content: "Hm" }) +
      delta({ reasoning: "Hm" }) +
      delta({ reasoning_details: [{}] }) +
      HALF +
      STOP,
    "Half an answer",
    "whole",
  ],
  ["a refusal", delta({ refusal: "I can't" }) + delta({ refusal: " do that" }) + STOP, "", "whole"],
  [
    "obfuscation and other unknown fields",
    data({
      choices: [{ index: 0, delta: { content: "Half an answer" } }],
      obfuscation: "xxxxxx",
      moderation: {},
    }) + STOP,
    "Half an answer",
    "whole",
  ],
  [
    "an error after 200",
    HALF + data({ error: { message: "overloaded", type: "server_error" } }),
    "Half an answer",
    "model_failed",
  ],
  ["an error that is text", HALF + data({ error: "boom" }), "Half an answer", "model_failed"],
  [
    "an event named error",
    `${HALF}event: error\ndata: {"message":"boom"}\n\n`,
    "Half an answer",
    "model_failed",
  ],
  ["an error, then an end", HALF + data({ error: { code: 500 } }) + STOP, "Half an answer", "model_failed"],
  ["a used-up quota after 200", data({ error: { code: "insufficient_quota" } }), "", "model_quota"],
  ["an error that is null", data({ error: null, choices: [] }) + HALF + STOP, "Half an answer", "whole"],
  [
    "comments between the chunks",
    `: ping\n\n${chatText("Half ")}: OPENROUTER PROCESSING\n\n${chatText("an answer")}${STOP}`,
    "Half an answer",
    "whole",
  ],
  ["lines that end with CRLF", (HALF + STOP).replaceAll("\n", "\r\n"), "Half an answer", "whole"],
  ["lines that end with CR", (HALF + STOP).replaceAll("\n", "\r"), "Half an answer", "whole"],
  ["a byte order mark", `\ufeff${HALF}${STOP}`, "Half an answer", "whole"],
  ["no space after data:", (HALF + STOP).replaceAll("data: ", "data:"), "Half an answer", "whole"],
  [
    "a chunk on several lines",
    `data: {"choices":\ndata: [{"index":0,"delta":{"content":"Half an answer"}}]}\n\n${STOP}`,
    "Half an answer",
    "whole",
  ],
  [
    "ids, names and retries of events",
    `retry: 10\nid: 7\nevent: message\n${HALF}${STOP}`,
    "Half an answer",
    "whole",
  ],
  [
    "the last event is not closed",
    `${HALF}data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
    "Half an answer",
    "model_cut",
  ],
  [
    "bytes that are not UTF-8",
    bytesOf(HALF, Buffer.from([0xff, 0xfe, 0x80]), STOP),
    "Half an answer",
    "model_malformed",
  ],
  [
    "half a character at the end",
    bytesOf(HALF, Buffer.from("data: 😀").subarray(0, 8)),
    "Half an answer",
    "model_malformed",
  ],
  ["a page of HTML", "<!doctype html><title>502</title>\n\n", "", "model_cut"],
  ["a tool call", chatCall("look_up", { order: 7 }) + chatEnd("tool_calls") + DONE, "", "whole", LOOK_UP],
  [
    "a tool call in pieces",
    piece({ index: 0, id: "a", type: "function", function: { name: "look_up", arguments: "" } }) +
      piece({ index: 0, function: { arguments: '{"or' } }) +
      piece({ index: 0, function: { arguments: 'der":7}' } }) +
      chatEnd("tool_calls"),
    "",
    "whole",
    LOOK_UP,
  ],
  [
    "a tool call cut in half",
    piece({ index: 0, id: "a", function: { name: "look_up", arguments: '{"or' } }),
    "",
    "model_cut",
  ],
  [
    "a tool call that ends with length",
    piece({ index: 0, id: "a", function: { name: "look_up", arguments: '{"or' } }) + chatEnd("length"),
    "",
    "model_cut",
  ],
  [
    "tool calls without index",
    piece({ id: "a", function: { name: "look_up", arguments: '{"order":7}' } }) +
      piece({ id: "b", function: { name: "look_up", arguments: '{"order":8}' } }) +
      chatEnd("tool_calls"),
    "",
    "whole",
    [...LOOK_UP, ["look_up", '{"order":8}']],
  ],
  [
    "tool calls that share an index",
    piece({ index: 0, id: "a", function: { name: "look_up", arguments: '{"order":7}' } }) +
      piece({ index: 0, id: "b", function: { name: "look_up", arguments: '{"order":8}' } }) +
      chatEnd("tool_calls"),
    "",
    "whole",
    [...LOOK_UP, ["look_up", '{"order":8}']],
  ],
  [
    "tool calls in turns",
    piece({ index: 0, id: "a", function: { name: "look_up", arguments: '{"or' } }) +
      piece({ index: 1, id: "b", function: { name: "see", arguments: "{" } }) +
      piece({ index: 0, function: { arguments: 'der":7}' } }) +
      piece({ index: 1, function: { arguments: "}" } }) +
      chatEnd("tool_calls"),
    "",
    "whole",
    [...LOOK_UP, ["see", "{}"]],
  ],
  [
    "the tool's name with every piece",
    piece({ index: 0, id: "a", function: { name: "look_up", arguments: '{"or' } }) +
      piece({ index: 0, id: "a", function: { name: "look_up", arguments: 'der":7}' } }) +
      chatEnd("tool_calls"),
    "",
    "whole",
    LOOK_UP,
  ],
  ["a tool call that ends with stop", chatCall("look_up", { order: 7 }) + STOP, "", "whole", LOOK_UP],
  [
    "a tool call whose input is an object",
    piece({ index: 0, function: { name: "look_up", arguments: { order: 7 } } }) + chatEnd("tool_calls"),
    "",
    "whole",
    LOOK_UP,
  ],
  [
    "a tool call without input",
    piece({ index: 0, id: "a", function: { name: "see" } }) + chatEnd("tool_calls"),
    "",
    "whole",
    [["see", "{}"]],
  ],
  [
    "text and a tool call",
    HALF + chatCall("look_up", { order: 7 }) + chatEnd("tool_calls"),
    "Half an answer",
    "whole",
    LOOK_UP,
  ],
  [
    "too many tool calls",
    Array.from({ length: 17 }, (_, at) =>
      piece({ index: at, id: `c${at}`, function: { name: "see", arguments: "{}" } }),
    ).join("") + STOP,
    "",
    "model_malformed",
  ],
  ["an index that is text", piece({ index: "0", function: { name: "see" } }) + STOP, "", "model_malformed"],
];
