import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../agent.ts";
import type { Tool } from "../tool.ts";
import { createAgUiReader } from "./ag-ui-reader.ts";
import { ReplyFault } from "./reply-fault.ts";
import { createReplyParser } from "./reply-parser.ts";
import { HOSTILE_REPLIES, type HostileReply } from "./testing/hostile-replies.ts";
import { createTurnReader } from "./turn-reader.ts";

const CANCEL: Tool = {
  name: "cancel",
  description: "",
  inputSchema: {},
  effect: "acts",
  confirm: "customer",
  accepts: () => true,
};

function hear({ form }: HostileReply, parts: readonly Uint8Array[]) {
  const parser = createReplyParser(form, form === "lines" ? createTurnReader() : createAgUiReader([CANCEL]));
  const beside: string[] = [];
  let text = "";
  const take = (events: Iterable<AgentEvent>) => {
    for (const event of events) {
      if (event.type === "delta") text += event.text;
      else beside.push(event.type);
    }
  };
  try {
    for (const part of parts) take(parser.feed(part));
    take(parser.end());
    return { text, beside, end: "whole" };
  } catch (error) {
    if (!(error instanceof ReplyFault)) throw error;
    return { text, beside, end: error.code };
  }
}

const positions = ({ bytes }: HostileReply) => Array.from(bytes, (_, at) => at);

describe("AGENT6 a hostile reply of the owner's agent is taken for what it is", () => {
  test.each(HOSTILE_REPLIES)("$name", (reply) => {
    const bytewise = positions(reply).map((at) => reply.bytes.subarray(at, at + 1));
    expect(hear(reply, bytewise)).toEqual({ text: reply.text, beside: reply.beside, end: reply.end });
  });

  test.each(HOSTILE_REPLIES)("$name: wherever its packets are split", (reply) => {
    const isSteady = reply.end !== "agent_malformed";
    const wrong = positions(reply).filter((at) => {
      const heard = hear(reply, [reply.bytes.subarray(0, at), reply.bytes.subarray(at)]);
      const isText = isSteady ? heard.text === reply.text : reply.text.startsWith(heard.text);
      return !isText || heard.end !== reply.end;
    });
    expect(wrong).toEqual([]);
  });

  test.each(HOSTILE_REPLIES)("$name: cut at any byte, it is never whole and says nothing twice", (reply) => {
    const wrong = positions(reply).filter((at) => {
      const { end, text, beside } = hear(reply, [reply.bytes.subarray(0, at)]);
      if (end !== "whole") return !reply.text.startsWith(text);
      return reply.end !== "whole" || text !== reply.text || !isDeepStrictEqual(beside, reply.beside);
    });
    expect(wrong).toEqual([]);
  });
});
