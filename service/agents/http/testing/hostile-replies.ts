/** How a reply must be taken. */
export interface HostileReply {
  readonly name: string;
  readonly form: "lines" | "events";
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly end: "whole" | "agent_cut" | "agent_malformed" | "agent_failed";
  /** The types of what came besides text. */
  readonly beside?: readonly string[];
}

type Row = readonly [
  name: string,
  stream: string | Uint8Array,
  text: string,
  end: HostileReply["end"],
  beside?: readonly string[],
];

const line = (type: string, more: object = {}) => `${JSON.stringify({ type, ...more })}\n`;
const said = (delta: string, messageId?: string) => line("response.delta", { delta, messageId });
const HALF = said("Half ") + said("an answer");
const DONE = line("response.completed");
const ACTION = { actionId: "a", name: "cancel", approvalRequired: true };
const BESIDE =
  line("citation", { citationId: "c", title: "T" }) +
  line("choices", { choices: [{ id: "p", choice: "handoff" }] }) +
  line("handoff.requested", { reason: "r" }) +
  line("action.requested", ACTION) +
  line("usage", { inputTokens: 1 });

const LINES: readonly Row[] = [
  ["a plain answer", HALF + DONE, "Half an answer", "whole"],
  ["beyond ASCII", said("Größe 😀 配送") + DONE, "Größe 😀 配送", "whole"],
  ["a stream that stops", HALF, "Half an answer", "agent_cut"],
  ["nothing", "", "", "agent_cut"],
  ["only an end", DONE, "", "whole"],
  ["the last line without its end", HALF + DONE.trim(), "Half an answer", "whole"],
  ["lines that end with CRLF", (HALF + DONE).replaceAll("\n", "\r\n"), "Half an answer", "whole"],
  ["empty lines", `\n\n${HALF}\n  \n${DONE}\n`, "Half an answer", "whole"],
  [
    "unknown events",
    line("turn.accepted", { x: 1 }) + HALF + line("mood", { happy: true }) + DONE,
    "Half an answer",
    "whole",
  ],
  ["an event without a type", `${HALF}{"delta":"x"}\n${DONE}`, "Half an answer", "agent_malformed"],
  ["a line that is no JSON", `${HALF}<html>\n${DONE}`, "Half an answer", "agent_malformed"],
  ["a line that is a list", `${HALF}[]\n${DONE}`, "Half an answer", "agent_malformed"],
  [
    "a delta that is a number",
    HALF + line("response.delta", { delta: 7 }) + DONE,
    "Half an answer",
    "agent_malformed",
  ],
  ["a delta without text", HALF + line("response.delta") + DONE, "Half an answer", "agent_malformed"],
  ["an error", HALF + line("error", { code: "x", message: "canary" }), "Half an answer", "agent_failed"],
  ["an error before an end", HALF + line("error") + DONE, "Half an answer", "agent_failed"],
  ["text after the end", HALF + DONE + said("again"), "Half an answer", "whole"],
  ["two answers, one after the other", HALF + DONE + HALF + DONE, "Half an answer", "whole"],
  [
    "two answers beside each other",
    said("Half ", "m1") +
      said("No", "m2") +
      said("an answer", "m1") +
      line("response.completed", { messageId: "m2" }) +
      line("response.completed", { messageId: "m1" }),
    "Half an answer",
    "whole",
  ],
  [
    "only the other answer ends",
    said("Half an answer", "m1") + line("response.completed", { messageId: "m2" }),
    "Half an answer",
    "agent_cut",
  ],
  [
    "a snapshot of what was said",
    HALF + line("response.snapshot", { text: "Half an answer" }) + DONE,
    "Half an answer",
    "whole",
  ],
  [
    "a snapshot that goes on",
    said("Half ") + line("response.snapshot", { text: "Half an answer" }) + DONE,
    "Half an answer",
    "whole",
  ],
  [
    "a snapshot that takes something back",
    said("Half of it") + line("response.snapshot", { text: "Half an answer" }) + DONE,
    "Half of it",
    "agent_malformed",
  ],
  [
    "the whole text again at the end",
    HALF + line("response.completed", { content: { body: "Half an answer", format: "plain" } }),
    "Half an answer",
    "whole",
  ],
  [
    "the text only at the end",
    line("response.completed", { content: { body: "Half an answer" } }),
    "Half an answer",
    "whole",
  ],
  [
    "another text at the end",
    HALF + line("response.completed", { content: { body: "No" } }),
    "Half an answer",
    "agent_malformed",
  ],
  [
    "a question back",
    line("clarification.requested", { question: "Which one?", fields: [] }),
    "Which one?",
    "whole",
  ],
  [
    "a question back after text",
    said("Well.") + line("clarification.requested", { question: "Which one?" }),
    "Well.\n\nWhich one?",
    "whole",
  ],
  [
    "a source, a person, an action and a cost",
    HALF + BESIDE + DONE,
    "Half an answer",
    "whole",
    ["citation", "choice", "handoff.suggested", "action.requested", "usage"],
  ],
  ["a source, a person, an action and a cost after the end", HALF + DONE + BESIDE, "Half an answer", "whole"],
  [
    "a source, a person, an action and a cost after a question back",
    line("clarification.requested", { question: "Which one?" }) + BESIDE,
    "Which one?",
    "whole",
  ],
  ["an event of another form after the end", HALF + DONE + line("citation"), "Half an answer", "whole"],
  ["a line that is no JSON after the end", `${HALF}${DONE}<html>\n`, "Half an answer", "whole"],
  [
    "two actions of one id",
    HALF +
      line("action.requested", ACTION) +
      line("action.requested", { ...ACTION, input: { order: 7 } }) +
      DONE,
    "Half an answer",
    "whole",
    ["action.requested"],
  ],
  [
    "a source without a title",
    HALF + line("citation", { citationId: "c" }) + DONE,
    "Half an answer",
    "agent_malformed",
  ],
  [
    "bytes that are not UTF-8",
    Buffer.concat([Buffer.from(HALF), Buffer.from([0xff, 0x0a]), Buffer.from(DONE)]),
    "Half an answer",
    "agent_malformed",
  ],
];

const event = (type: string, more: object = {}) => `data: ${JSON.stringify({ type, ...more })}\n\n`;
const START =
  event("RUN_STARTED", { threadId: "t", runId: "r" }) +
  event("TEXT_MESSAGE_START", { messageId: "m", role: "assistant" });
const content = (delta: unknown, messageId = "m") => event("TEXT_MESSAGE_CONTENT", { messageId, delta });
const CLOSE = event("TEXT_MESSAGE_END", { messageId: "m" });
const FINISHED = event("RUN_FINISHED", { threadId: "t", runId: "r" });
const HALF_E = START + content("Half ") + content("an answer");
const CALL =
  event("TOOL_CALL_START", { toolCallId: "a", toolCallName: "cancel" }) +
  event("TOOL_CALL_ARGS", { toolCallId: "a", delta: '{"or' }) +
  event("TOOL_CALL_ARGS", { toolCallId: "a", delta: 'der":7}' });
const CALLED = CALL + event("TOOL_CALL_END", { toolCallId: "a" });

const EVENTS: readonly Row[] = [
  ["a plain answer", HALF_E + CLOSE + FINISHED, "Half an answer", "whole"],
  ["a stream that stops", HALF_E, "Half an answer", "agent_cut"],
  ["a message without an end of the run", HALF_E + CLOSE, "Half an answer", "agent_cut"],
  ["an end of the run in the middle of a message", HALF_E + FINISHED, "Half an answer", "agent_cut"],
  ["an error", HALF_E + event("RUN_ERROR", { message: "canary" }), "Half an answer", "agent_failed"],
  ["an end after an error", HALF_E + CLOSE + event("RUN_ERROR") + FINISHED, "Half an answer", "agent_failed"],
  ["text after the end", HALF_E + CLOSE + FINISHED + content("again"), "Half an answer", "whole"],
  ["an action after the end", HALF_E + CLOSE + FINISHED + CALLED + FINISHED, "Half an answer", "whole"],
  ["two actions of one id", CALLED + CALLED + FINISHED, "", "whole"],
  [
    "two messages of one run",
    HALF_E +
      CLOSE +
      event("TEXT_MESSAGE_START", { messageId: "n" }) +
      content("More", "n") +
      event("TEXT_MESSAGE_END", { messageId: "n" }) +
      FINISHED,
    "Half an answer\n\nMore",
    "whole",
  ],
  [
    "messages of other roles",
    event("TEXT_MESSAGE_START", { messageId: "s", role: "system" }) +
      content("Secret", "s") +
      HALF_E +
      CLOSE +
      FINISHED,
    "Half an answer",
    "whole",
  ],
  [
    "chunks",
    event("TEXT_MESSAGE_CHUNK", { messageId: "m", role: "assistant", delta: "Half " }) +
      event("TEXT_MESSAGE_CHUNK", { delta: "an answer" }) +
      FINISHED,
    "Half an answer",
    "whole",
  ],
  [
    "chunks of another role, whose second has no id",
    event("TEXT_MESSAGE_CHUNK", { messageId: "s", role: "system", delta: "Secret " }) +
      event("TEXT_MESSAGE_CHUNK", { delta: "plan" }) +
      HALF_E +
      CLOSE +
      FINISHED,
    "Half an answer",
    "whole",
  ],
  [
    "a message of another role, whose text has no id",
    event("TEXT_MESSAGE_START", { messageId: "s", role: "system" }) +
      event("TEXT_MESSAGE_CONTENT", { delta: "Secret" }) +
      HALF_E +
      CLOSE +
      FINISHED,
    "Half an answer",
    "whole",
  ],
  [
    "no ids after a message of another role",
    event("TEXT_MESSAGE_CHUNK", { messageId: "s", role: "system", delta: "Secret " }) +
      event("TEXT_MESSAGE_CHUNK", { messageId: null, role: null, delta: "plan" }) +
      event("TEXT_MESSAGE_CHUNK", { role: "assistant", delta: "Half " }) +
      event("TEXT_MESSAGE_CHUNK", { role: "assistant", delta: "an answer" }) +
      event("TEXT_MESSAGE_CHUNK", { role: "system", delta: "Secret" }) +
      FINISHED,
    "Half an answer",
    "whole",
  ],
  [
    "a delta that is an object",
    HALF_E + content({ text: "x" }) + CLOSE + FINISHED,
    "Half an answer",
    "agent_malformed",
  ],
  [
    "thoughts, steps and states",
    event("STEP_STARTED", { stepName: "s" }) +
      event("THINKING_TEXT_MESSAGE_CONTENT", { delta: "Hm" }) +
      event("STATE_DELTA", { delta: [] }) +
      HALF_E +
      CLOSE +
      event("MESSAGES_SNAPSHOT", { messages: [] }) +
      FINISHED,
    "Half an answer",
    "whole",
  ],
  ["comments", `: ping\n\n${HALF_E}: ping\n\n${CLOSE}${FINISHED}`, "Half an answer", "whole"],
  [
    "an event that is no JSON",
    `${HALF_E}data: {\n\n${CLOSE}${FINISHED}`,
    "Half an answer",
    "agent_malformed",
  ],
  ["an action that was offered", CALLED + FINISHED, "", "whole", ["action.requested"]],
  ["an action cut in half", CALL, "", "agent_cut"],
  ["an action without its end", CALL + FINISHED, "", "whole"],
  ["an action that was not offered", CALLED.replaceAll("cancel", "refund") + FINISHED, "", "whole"],
  [
    "a call that the agent made itself",
    CALLED + event("TOOL_CALL_RESULT", { toolCallId: "a", content: "ok" }) + HALF_E + CLOSE + FINISHED,
    "Half an answer",
    "whole",
  ],
  [
    "a source",
    HALF_E + CLOSE + event("CUSTOM", { name: "citation", value: { citationId: "c", title: "T" } }) + FINISHED,
    "Half an answer",
    "whole",
    ["citation"],
  ],
  [
    "a source that is none",
    HALF_E + CLOSE + event("CUSTOM", { name: "citation", value: 7 }) + FINISHED,
    "Half an answer",
    "whole",
  ],
  [
    "a run that waits for a decision",
    HALF_E + CLOSE + event("RUN_FINISHED", { outcome: { type: "interrupt" } }),
    "Half an answer",
    "whole",
    ["handoff.suggested"],
  ],
];

const repliesOf = (rows: readonly Row[], form: HostileReply["form"]): HostileReply[] =>
  rows.map(([name, stream, text, end, beside = []]) => ({
    name: `${form}: ${name}`,
    form,
    bytes: Buffer.from(stream),
    text,
    end,
    beside,
  }));

/** What agents send, and what broken ones do. The tool `cancel` was offered. */
export const HOSTILE_REPLIES: readonly HostileReply[] = [
  ...repliesOf(LINES, "lines"),
  ...repliesOf(EVENTS, "events"),
];
