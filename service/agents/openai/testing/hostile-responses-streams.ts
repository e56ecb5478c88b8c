import { named } from "./fake-model-server.ts";
import { DONE, LOOK_UP, type Row } from "./hostile-stream.ts";

const created = named({
  type: "response.created",
  response: { status: "in_progress", model: "m", error: null },
});
const said = (text: string) =>
  named({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta: text });
const completed = (more: object = {}) =>
  named({ type: "response.completed", response: { status: "completed", error: null, ...more } });
const FUNCTION = {
  type: "function_call",
  call_id: "a",
  name: "look_up",
  arguments: '{"order":7}',
  status: "completed",
};
const MESSAGE = { type: "message", content: [{ type: "output_text", text: "Half an answer" }] };
const HALF_R = created + said("Half ") + said("an answer");

/** Streams of `/responses`. */
export const RESPONSES_STREAMS: readonly Row[] = [
  ["a plain answer", HALF_R + completed({ output: [MESSAGE] }), "Half an answer", "whole"],
  [
    "the text repeated by three later events",
    HALF_R +
      named({ type: "response.output_text.done", text: "Half an answer" }) +
      named({ type: "response.content_part.done", part: { text: "Half an answer" } }) +
      named({ type: "response.output_item.done", item: MESSAGE }) +
      completed({ output: [MESSAGE] }),
    "Half an answer",
    "whole",
  ],
  ["a stream that stops", HALF_R, "Half an answer", "model_cut"],
  ["only [DONE] at the end", HALF_R + DONE, "Half an answer", "model_cut"],
  ["[DONE] after the end", HALF_R + completed() + DONE, "Half an answer", "whole"],
  [
    "incomplete",
    HALF_R +
      named({
        type: "response.incomplete",
        response: { incomplete_details: { reason: "max_output_tokens" } },
      }),
    "Half an answer",
    "model_cut",
  ],
  [
    "completed with the status incomplete",
    HALF_R + completed({ status: "incomplete" }),
    "Half an answer",
    "model_cut",
  ],
  [
    "failed",
    HALF_R +
      named({ type: "response.failed", response: { status: "failed", error: { code: "server_error" } } }),
    "Half an answer",
    "model_failed",
  ],
  [
    "a used-up quota",
    created + named({ type: "error", code: "insufficient_quota", message: "x" }),
    "",
    "model_quota",
  ],
  [
    "an error",
    HALF_R + named({ type: "error", code: "server_error", message: "x" }),
    "Half an answer",
    "model_failed",
  ],
  [
    "an error, then completed",
    HALF_R + named({ type: "error" }) + completed(),
    "Half an answer",
    "model_failed",
  ],
  ["text after the end", HALF_R + completed() + said("again"), "Half an answer", "whole"],
  ["two answers", HALF_R + completed() + HALF_R + completed(), "Half an answer", "whole"],
  ["no deltas", created + completed({ output: [MESSAGE] }), "Half an answer", "whole"],
  [
    "two messages, one after the other",
    created +
      said("Half ") +
      said("an answer") +
      named({ type: "response.output_text.delta", output_index: 2, content_index: 0, delta: "More" }) +
      completed({ output: [MESSAGE, { type: "message", content: [{ type: "output_text", text: "More" }] }] }),
    "Half an answer\n\nMore",
    "whole",
  ],
  [
    "a message in the end beside a tool call",
    created + completed({ output: [{ type: "reasoning" }, MESSAGE, FUNCTION] }),
    "Half an answer",
    "whole",
    LOOK_UP,
  ],
  [
    "only names of events, no types",
    HALF_R.replaceAll(/"type":"[a-z_.]+",?/g, "") + completed().replaceAll(/"type":"[a-z_.]+",?/g, ""),
    "Half an answer",
    "whole",
  ],
  [
    "no names of events, only types",
    (HALF_R + completed()).replaceAll(/event: .*\n/g, ""),
    "Half an answer",
    "whole",
  ],
  [
    "a delta that is a number",
    HALF_R + named({ type: "response.output_text.delta", delta: 1 }) + completed(),
    "Half an answer",
    "model_malformed",
  ],
  [
    "reasoning, refusal and unknown events",
    created +
      named({ type: "response.reasoning_text.delta", delta: "Hm" }) +
      named({ type: "response.refusal.delta", delta: "No" }) +
      named({ type: "response.new_thing", x: 1 }) +
      said("Half an answer") +
      completed(),
    "Half an answer",
    "whole",
  ],
  [
    "a tool call",
    created +
      named({ type: "response.function_call_arguments.delta", delta: '{"or' }) +
      named({ type: "response.output_item.done", item: FUNCTION }) +
      completed({ output: [FUNCTION] }),
    "",
    "whole",
    LOOK_UP,
  ],
  [
    "a tool call without call_id, repeated in the end",
    created +
      named({ type: "response.output_item.done", item: { ...FUNCTION, call_id: undefined } }) +
      completed({ output: [{ ...FUNCTION, call_id: undefined }] }),
    "",
    "whole",
    LOOK_UP,
  ],
  [
    "a tool call whose input is only in the end",
    created +
      named({ type: "response.output_item.done", item: { ...FUNCTION, arguments: "" } }) +
      completed({ output: [FUNCTION] }),
    "",
    "whole",
    LOOK_UP,
  ],
  [
    "a second tool call only in the end",
    created +
      named({ type: "response.output_item.done", item: FUNCTION }) +
      completed({ output: [FUNCTION, { ...FUNCTION, call_id: "b" }] }),
    "",
    "whole",
    [...LOOK_UP, ...LOOK_UP],
  ],
  ["a tool call only in the end", created + completed({ output: [FUNCTION] }), "", "whole", LOOK_UP],
  [
    "a tool call cut in half",
    created + named({ type: "response.function_call_arguments.delta", delta: '{"or' }),
    "",
    "model_cut",
  ],
  [
    "a tool call without the end",
    created + named({ type: "response.output_item.done", item: FUNCTION }),
    "",
    "model_cut",
  ],
  [
    "items of wrong types",
    created + named({ type: "response.output_item.done", item: 7 }) + completed(),
    "",
    "model_malformed",
  ],
];
