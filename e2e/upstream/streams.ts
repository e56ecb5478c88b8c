import type { IncomingMessage, ServerResponse } from "node:http";
import type { DurableEvent, LiveEvent } from "../../shared/event.ts";
import { HEARTBEAT_MS } from "../../shared/limits.ts";
import type { StoredConversation } from "./state.ts";
import type { TurnScript } from "./turn-script.ts";
import { reset } from "./wire.ts";

/** Streams that are open, so that a test can cut them and let the held ones go. */
export interface OpenStreams {
  /** Follows a conversation's log as Server-Sent Events, after `Last-Event-ID`. */
  readonly follow: (
    request: IncomingMessage,
    response: ServerResponse,
    conversation: StoredConversation,
  ) => void;
  /** Plays a turn's lines as NDJSON, one write a line. */
  readonly play: (response: ServerResponse, script: TurnScript) => void;
  /** How many are open now. */
  readonly count: () => number;
  /** Resets every open stream, in the middle of whatever it says. */
  readonly cut: () => void;
  /** Ends the turns that a script holds open. */
  readonly release: () => void;
}

/** Keeps the streams of one mock. */
export function createStreams(): OpenStreams {
  const open = new Set<ServerResponse>();
  const held = new Set<ServerResponse>();

  function begin(response: ServerResponse, type: string): void {
    open.add(response);
    response.once("close", () => {
      open.delete(response);
      held.delete(response);
    });
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
  }

  function follow(
    request: IncomingMessage,
    response: ServerResponse,
    conversation: StoredConversation,
  ): void {
    begin(response, "text/event-stream");
    response.write(": open\n\n");
    const send = (event: DurableEvent | LiveEvent) => {
      const id = "seq" in event ? `id: ${event.seq}\n` : "";
      response.write(`${id}data: ${JSON.stringify(event)}\n\n`);
    };
    const after = Number(request.headers["last-event-id"] ?? 0);
    for (const event of conversation.events) if (event.seq > after) send(event);
    conversation.listeners.add(send);
    const heartbeat = setInterval(() => response.write(": \n\n"), HEARTBEAT_MS);
    response.once("close", () => {
      clearInterval(heartbeat);
      conversation.listeners.delete(send);
    });
  }

  function play(response: ServerResponse, script: TurnScript): void {
    begin(response, "application/x-ndjson");
    response.flushHeaders();
    const lines = [...script.lines];
    const next = () => {
      const line = lines.shift();
      if (line) {
        response.write(`${JSON.stringify(line)}\n`);
        setImmediate(next);
      } else if (script.ending === "closed") response.end();
      else if (script.ending === "held") held.add(response);
      else {
        // Half a line more, so that the cut is in the middle of one.
        response.write('{"type":"response.del', () => setImmediate(() => response.destroy()));
      }
    };
    next();
  }

  return {
    follow,
    play,
    count: () => open.size,
    cut: () => {
      for (const response of open) if (response.socket) reset(response.socket);
    },
    release: () => {
      for (const response of held) response.end();
      held.clear();
    },
  };
}
