import { createParser } from "eventsource-parser";
import { ChatEvent } from "../../shared/event.ts";

/** What one stream of a browser has received. */
export interface SeenStream {
  /** Seqs in order of arrival. */
  readonly seqs: number[];
  /** Keys of customers' messages in order of arrival. */
  readonly keys: string[];
  /** The delays that each `drain` requested, in milliseconds. */
  readonly drains: number[];
  /** Resets: the position was gone. */
  resets: number;
  /** How often it was connected. */
  connects: number;
  isConnected: boolean;
}

const BASE_MS = 500;
const CAP_MS = 30_000;

/** Follows a conversation as the panel does: the same wait after `drain`, the same growing delays, with the last id. */
export function followAsPanel(options: {
  readonly url: string;
  readonly token: string;
  readonly origin: string;
  readonly signal: AbortSignal;
  /** Called after every change. */
  readonly onChange: () => void;
}): { readonly seen: SeenStream; readonly ended: Promise<void> } {
  const { signal, onChange } = options;
  const seen: SeenStream = {
    seqs: [],
    keys: [],
    drains: [],
    resets: 0,
    connects: 0,
    isConnected: false,
  };
  let lastId: string | undefined;
  let attempts = 0;
  let drainMs: number | undefined;

  const onEvent = ({ id, data }: { id?: string | undefined; data: string }) => {
    const event = ChatEvent.parse(JSON.parse(data));
    if (id !== undefined) lastId = id;
    if (event.type === "drain") {
      drainMs = event.delayMs;
      seen.drains.push(event.delayMs);
    }
    if (event.type === "reset") seen.resets += 1;
    if ("seq" in event) seen.seqs.push(event.seq);
    if (event.type === "message.created" && event.message.clientMessageId !== undefined) {
      seen.keys.push(event.message.clientMessageId);
    }
    attempts = 0;
    onChange();
  };
  const connect = async () => {
    const answer = await fetch(`${options.url}/api/conversation/events`, {
      headers: {
        authorization: `Bearer ${options.token}`,
        origin: options.origin,
        ...(lastId === undefined ? {} : { "last-event-id": lastId }),
      },
      signal,
    });
    if (!answer.ok || !answer.body) {
      await answer.text();
      return;
    }
    seen.connects += 1;
    seen.isConnected = true;
    onChange();
    const parser = createParser({ onEvent });
    const decoder = new TextDecoder();
    for await (const bytes of answer.body) parser.feed(decoder.decode(bytes, { stream: true }));
  };
  const follow = async () => {
    while (!signal.aborted) {
      // Refused, cut or ended: each is followed by the next attempt, as in the panel.
      await connect().catch(() => undefined);
      seen.isConnected = false;
      const wait = drainMs ?? Math.random() * Math.min(CAP_MS, BASE_MS * 2 ** attempts);
      attempts += 1;
      drainMs = undefined;
      await pause(wait, signal);
    }
  };
  return { seen, ended: follow() };
}

/** Waits for `ms` milliseconds, or until `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
