import * as z from "zod/mini";
import { jsonOf } from "../../../shared/json.ts";
import { Citation } from "../../../shared/message-kinds/citations.ts";
import type { AgentEvent } from "../agent.ts";
import type { Tool } from "../tool.ts";
import { ReplyFault } from "./reply-fault.ts";
import type { ReplyReader } from "./reply-reader.ts";
import { createSaidText } from "./said-text.ts";

const Event = z.object({
  type: z.string(),
  messageId: z.nullish(z.string()),
  role: z.nullish(z.string()),
  delta: z.nullish(z.unknown()),
  toolCallId: z.nullish(z.string()),
  toolCallName: z.nullish(z.string()),
  name: z.nullish(z.string()),
  value: z.nullish(z.unknown()),
  outcome: z.nullish(z.unknown()),
});
const Interrupted = z.object({ type: z.literal("interrupt") });
const MAX_INPUT = 64 * 1024;

/**
 * AG-UI 1.0 (https://docs.ag-ui.com/concepts/events): `RUN_FINISHED` ends an answer. Several messages of one run become
 * one. A call of a tool that we offered is a request for the action, unless the agent reports its result itself.
 */
export function createAgUiReader(tools: readonly Tool[]): ReplyReader {
  const said = createSaidText();
  const open = new Set<string>();
  const calls = new Map<string, { name: string; input: string; isWhole: boolean }>();
  /** Messages of other roles are not for the customer. */
  const foreign = new Set<string>();
  /** The message and the call that were named last: what has no id belongs to them. */
  let lastId = "";
  let lastCallId = "";
  let saidId: string | undefined;
  let isOver = false;
  let isInterrupted = false;

  const say = (id: string, delta: unknown): AgentEvent[] => {
    if (foreign.has(id)) return [];
    if (typeof delta !== "string") throw malformed();
    if (id !== saidId) said.part();
    saidId = id;
    return said.add(delta);
  };
  const call = (id: string, name: string | null | undefined) => {
    const known = calls.get(id) ?? { name: name ?? "", input: "", isWhole: false };
    calls.set(id, known);
    return known;
  };
  const add = (id: string, delta: unknown) => {
    const known = call(id, undefined);
    if (typeof delta === "string") known.input += delta;
    if (known.input.length > MAX_INPUT) throw malformed();
  };
  return {
    isOver: () => isOver,
    take(value) {
      const parsed = Event.safeParse(value);
      if (!parsed.success) throw malformed();
      const { type, role, delta, toolCallName, name, value: custom, outcome } = parsed.data;
      // Another role, or another tool, begins a message or a call of its own also without an id.
      const isOtherRole = Boolean(role) && isForeign(role) !== foreign.has(lastId);
      const messageId = parsed.data.messageId ?? (isOtherRole ? `${lastId}+` : lastId);
      if (type.startsWith("TEXT_MESSAGE_")) lastId = messageId;
      const isOtherTool = Boolean(toolCallName) && toolCallName !== calls.get(lastCallId)?.name;
      const callId = parsed.data.toolCallId ?? (isOtherTool ? `${lastCallId}+` : lastCallId);
      lastCallId = callId;
      switch (type) {
        case "TEXT_MESSAGE_START":
          if (isForeign(role)) foreign.add(messageId);
          else open.add(messageId);
          return [];
        case "TEXT_MESSAGE_CONTENT":
          return say(messageId, delta);
        case "TEXT_MESSAGE_CHUNK":
          if (isForeign(role)) foreign.add(messageId);
          return delta === undefined || delta === null ? [] : say(messageId, delta);
        case "TEXT_MESSAGE_END":
          open.delete(messageId);
          return [];
        case "TOOL_CALL_START":
          call(callId, toolCallName);
          return [];
        case "TOOL_CALL_ARGS":
          add(callId, delta);
          return [];
        case "TOOL_CALL_CHUNK":
          call(callId, toolCallName).isWhole = true;
          add(callId, delta);
          return [];
        case "TOOL_CALL_END":
          call(callId, undefined).isWhole = true;
          return [];
        case "TOOL_CALL_RESULT":
          calls.delete(callId);
          return [];
        case "CUSTOM":
          return name === "citation" ? citationOf(custom) : [];
        case "RUN_ERROR":
          throw new ReplyFault("agent_failed", "The agent reported an error.");
        case "RUN_FINISHED":
          isOver = true;
          isInterrupted = Interrupted.safeParse(outcome).success;
          return [];
        default:
          return [];
      }
    },
    end() {
      if (!isOver || open.size > 0) throw new ReplyFault("agent_cut", "The agent's answer was cut off.");
      const asked = [...calls].flatMap(([actionId, { name, input, isWhole }]): AgentEvent[] => {
        const isOffered = tools.some((tool) => tool.effect === "acts" && tool.name === name);
        const value = jsonOf(input || "{}");
        return isOffered && isWhole && value !== undefined
          ? [{ type: "action.requested", actionId, tool: name, input: value }]
          : [];
      });
      // It waits for somebody to decide: that can only be a person of the team.
      return isInterrupted ? [...asked, { type: "handoff.suggested" }] : asked;
    },
  };
}

function isForeign(role: string | null | undefined): boolean {
  return role !== undefined && role !== null && role !== "assistant";
}

function citationOf(value: unknown): AgentEvent[] {
  const { success, data } = Citation.safeParse(value);
  return success ? [{ type: "citation", citation: data }] : [];
}

function malformed(): ReplyFault {
  return new ReplyFault("agent_malformed", "The agent sent an event of another form.");
}
