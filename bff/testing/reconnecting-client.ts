import { createParser } from "eventsource-parser";
import { ChatEvent } from "../../shared/event.ts";
import { createBackoff } from "../../widget/client/backoff.ts";

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

/**
 * Follows a conversation as a panel does that somebody may be looking at: the same wait after `drain` and after
 * `Retry-After`, the panel's own delays, with the last id.
 */
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
  const backoff = createBackoff(Math.random);
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
    if (event.type !== "drain") backoff.reset();
    onChange();
  };
  /** Resolves when the stream has ended, with the wait that a refusal asks for. */
  const connect = async (): Promise<number> => {
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
      return Number(answer.headers.get("retry-after") ?? 0) * 1000;
    }
    seen.connects += 1;
    seen.isConnected = true;
    onChange();
    const parser = createParser({ onEvent });
    const decoder = new TextDecoder();
    for await (const bytes of answer.body) parser.feed(decoder.decode(bytes, { stream: true }));
    return 0;
  };
  const follow = async () => {
    while (!signal.aborted) {
      // Refused, cut or ended: each is followed by the next attempt, as in the panel.
      const floorMs = await connect().catch(() => 0);
      seen.isConnected = false;
      const wait = drainMs ?? (floorMs === 0 ? backoff.nextPrompt() : backoff.next(floorMs));
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
