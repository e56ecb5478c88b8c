import { SessionState } from "../../shared/api/session.ts";
import { callAs } from "./call-as.ts";
import { followAsPanel, pause, type SeenStream } from "./reconnecting-client.ts";

/** A customer who writes and follows, through any number of restarts of what they talk to. */
export interface Visitor {
  readonly token: string;
  /** Keys that the BFF acknowledged. */
  readonly acknowledged: string[];
  readonly streams: SeenStream[];
}

/** Waits for conditions. */
export interface Watch {
  /** Checks every waiting condition again. */
  readonly tell: () => void;
  until(holds: () => boolean): Promise<void>;
}

export function createWatch(): Watch {
  let waiting: { holds: () => boolean; resolve: () => void }[] = [];
  return {
    tell: () => {
      const met = waiting.filter(({ holds }) => holds());
      waiting = waiting.filter((one) => !met.includes(one));
      for (const { resolve } of met) resolve();
    },
    until: (holds) =>
      holds() ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ holds, resolve })),
  };
}

/** How many sessions are opened at once. */
const AT_ONCE = 10;

/** Opens sessions with a conversation each, and `streamsEach` streams of it that reconnect as the panel does. */
export async function openVisitors(options: {
  readonly url: string;
  /** The origin of the page that shows the panel. */
  readonly origin?: string;
  readonly sessions: number;
  readonly streamsEach: number;
  readonly signal: AbortSignal;
  readonly onChange: () => void;
}): Promise<Visitor[]> {
  const { url, origin = url, sessions, streamsEach, signal, onChange } = options;
  const call = callAs(url, origin);
  const visitors: Visitor[] = [];
  const openOne = async (index: number) => {
    const { token } = SessionState.parse(await (await call("POST", "/api/session")).json());
    const first = { clientMessageId: `first-${index}`, body: "Hello" };
    const { status } = await call("POST", "/api/conversation", token, first);
    if (status !== 201) throw new Error(`The conversation was not started: ${status}`);
    // A person was requested, so the agent is silent and only the customers' messages count.
    await (await call("POST", "/api/conversation/handoff", token)).text();
    const streams = Array.from(
      { length: streamsEach },
      () => followAsPanel({ url, token, origin, signal, onChange }).seen,
    );
    visitors.push({ token, acknowledged: [first.clientMessageId], streams });
  };
  for (let from = 0; from < sessions; from += AT_ONCE) {
    const now = Math.min(AT_ONCE, sessions - from);
    await Promise.all(Array.from({ length: now }, (_, index) => openOne(from + index)));
  }
  return visitors;
}

/** Sends one message, with the same key until it is acknowledged, as the panel's outbox does. */
async function sendUntilAcknowledged(
  call: ReturnType<typeof callAs>,
  visitor: Visitor,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const message = { clientMessageId: key, body: `Message ${key}` };
    const status = await call("POST", "/api/conversation/messages", visitor.token, message, signal).then(
      async (answer) => {
        await answer.text();
        return answer.status;
      },
      () => 0,
    );
    if (status >= 200 && status < 300) {
      visitor.acknowledged.push(key);
      return;
    }
    await pause(Math.random() * Math.min(30_000, 500 * 2 ** attempt), signal);
  }
}

/**
 * Sends a message every `everyMs`, taking turns over all visitors, until it is stopped. If a busy machine wakes the timer
 * late, it sends everything due at once, so the rate needs no separate check. A visitor's next message waits for the
 * previous one, as in the panel's outbox. Stopping waits for those in flight.
 */
export function sendSteadily(options: {
  readonly url: string;
  readonly origin?: string;
  readonly visitors: readonly Visitor[];
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly onAcknowledged: () => void;
}) {
  const { url, origin = url, visitors, everyMs, signal, onAcknowledged } = options;
  const call = callAs(url, origin);
  const outboxes = visitors.map((visitor) => ({ visitor, last: Promise.resolve() }));
  const began = performance.now();
  let sent = 0;
  const sendOne = () => {
    const outbox = outboxes[sent % outboxes.length];
    if (!outbox) throw new Error("There is nobody to write.");
    const key = `key-${sent}`;
    outbox.last = outbox.last
      .then(() => sendUntilAcknowledged(call, outbox.visitor, key, signal))
      .then(onAcknowledged);
    sent += 1;
  };
  const due = () => Math.floor((performance.now() - began) / everyMs);
  const sendDue = () => {
    for (const now = due(); sent < now; ) sendOne();
  };
  const timer = setInterval(sendDue, everyMs);
  return {
    /** The number of messages sent, once all were acknowledged. */
    async stop() {
      clearInterval(timer);
      sendDue();
      await Promise.all(outboxes.map(({ last }) => last));
      return sent;
    },
  };
}

/** Whether every stream is connected, and was more often than `before`. */
export function isEverybodyBack(
  visitors: readonly Visitor[],
  before: ReadonlyMap<SeenStream, number>,
): boolean {
  return visitors.every(({ streams }) =>
    streams.every((stream) => stream.isConnected && stream.connects > (before.get(stream) ?? 0)),
  );
}

/** How often each stream was connected. */
export function connectsOf(visitors: readonly Visitor[]): ReadonlyMap<SeenStream, number> {
  return new Map(
    visitors.flatMap(({ streams }) => streams.map((stream) => [stream, stream.connects] as const)),
  );
}

/**
 * Waits until each stream has shown every acknowledged message, and returns a sentence for each stream that lost, doubled
 * or reordered something, or whose position was gone.
 */
export async function findLosses(visitors: readonly Visitor[], watch: Watch): Promise<string[]> {
  await watch.until(() =>
    visitors.every(({ acknowledged, streams }) =>
      streams.every(({ keys }) => keys.length >= acknowledged.length),
    ),
  );
  return visitors.flatMap(({ acknowledged, streams }, index) =>
    streams.flatMap(({ seqs, keys, resets }) => {
      const faults = [
        seqs.some((seq, at) => seq !== at + 1) && `has the positions ${seqs.join()}`,
        keys.toSorted().join() !== acknowledged.toSorted().join() &&
          `has ${keys.toSorted().join()} of ${acknowledged.toSorted().join()}`,
        resets > 0 && `was reset ${resets} times`,
      ].filter((fault) => fault !== false);
      return faults.map((fault) => `A stream of visitor ${index} ${fault}.`);
    }),
  );
}
