import type { FailureCode } from "../../shared/errors.ts";

/**
 * A message that was written here and that the service has not confirmed. `clientMessageId` is its key, also on each
 * retry. `queued`: nothing answers, and it is sent automatically as soon as something does.
 */
export interface Unconfirmed {
  readonly clientMessageId: string;
  readonly body: string;
  readonly status: "sending" | "queued" | "not_confirmed";
  /** Why it is not confirmed. */
  readonly code?: FailureCode;
  readonly retryAfter?: number | undefined;
  readonly detail?: string | undefined;
}

/** Failures that concern one message; every other failure would affect the next message as well. */
const OWN_FAULTS: ReadonlySet<FailureCode> = new Set([
  "bad_json",
  "bad_request",
  "body_too_large",
  "file_gone",
  "key_reused",
]);

export interface OutboxDeps<Message extends Unconfirmed> {
  /** The messages, in the order in which they were written. */
  readonly read: () => readonly Message[];
  readonly write: (next: readonly Message[]) => void;
  /** Messages of one lane are sent one after another, so that they arrive in the order in which they were written. */
  readonly laneOf: (message: Message) => string;
  /** Sends the message that `take` returns, if there is one. Resolves only if the service confirmed it. */
  readonly deliver: (take: () => Message | undefined) => Promise<void>;
  /** Decides about a message that was not confirmed: calls `doubt` or `pause`. */
  readonly onFailure: (message: Message, error: unknown) => void;
}

/** Sends messages in order, each with its own key, which a retry uses again. Only a confirmed message leaves the list. */
export function createOutbox<Message extends Unconfirmed>(deps: OutboxDeps<Message>) {
  const { read, write, laneOf, deliver, onFailure } = deps;
  const busy = new Set<string>();
  let isPaused = false;

  const find = (key: string) => read().find(({ clientMessageId }) => clientMessageId === key);
  const nextOf = (lane: string) =>
    read().find((message) => message.status !== "not_confirmed" && laneOf(message) === lane);
  const drop = (key: string) => {
    if (find(key)) write(read().filter(({ clientMessageId }) => clientMessageId !== key));
  };

  const attempt = async (lane: string) => {
    let taken: Message | undefined;
    try {
      await deliver(() => (taken = nextOf(lane)));
      if (taken) drop(taken.clientMessageId);
    } catch (error) {
      const failed = taken ?? nextOf(lane);
      // The log may have confirmed it meanwhile, or its conversation was erased.
      if (failed && find(failed.clientMessageId)) onFailure(failed, error);
    }
  };

  /** Sends the messages of a lane, unless that is already happening. Resolves when no more can be sent now. */
  const run = async (lane: string): Promise<void> => {
    if (isPaused) queue();
    if (isPaused || busy.has(lane)) return;
    busy.add(lane);
    try {
      while (!isPaused && nextOf(lane)) await attempt(lane);
    } finally {
      busy.delete(lane);
    }
  };

  const queue = () => {
    if (!read().some(({ status }) => status === "sending")) return;
    write(read().map((one) => (one.status === "sending" ? { ...one, status: "queued" as const } : one)));
  };

  return {
    run,
    add(message: Message): Promise<void> {
      write([...read(), message]);
      return run(laneOf(message));
    },
    /** Sends an unconfirmed message again, with the same key. */
    retry(key: string): Promise<void> {
      const message = find(key);
      if (message?.status !== "not_confirmed") return Promise.resolve();
      const { code: _, retryAfter: __, detail: ___, ...rest } = message;
      const again = { ...rest, status: "sending" } as Message;
      write(read().map((one) => (one === message ? again : one)));
      return run(laneOf(message));
    },
    /** Removes a message that is not being sent. This does not take it back: the service may have it. */
    discard(key: string): void {
      if (find(key)?.status !== "sending") drop(key);
    },
    /**
     * The message is not confirmed: its text stays, with the reason. Those after it in its lane wait for the person as
     * well, because otherwise they would overtake it.
     */
    doubt(key: string, { code, retryAfter, detail }: Reason): void {
      const message = find(key);
      if (!message) return;
      const reason = { status: "not_confirmed" as const, code, retryAfter, detail };
      const isNext = (one: Message) =>
        !OWN_FAULTS.has(code) && one.status !== "not_confirmed" && laneOf(one) === laneOf(message);
      write(read().map((one) => (one === message || isNext(one) ? { ...one, ...reason } : one)));
    },
    /** Nothing answers: messages wait until `resume`, which otherwise does nothing. */
    pause(): void {
      isPaused = true;
      queue();
    },
    resume(): void {
      if (!isPaused) return;
      isPaused = false;
      for (const lane of new Set(read().map(laneOf))) void run(lane);
    },
  };
}

interface Reason {
  readonly code: FailureCode;
  readonly retryAfter?: number | undefined;
  readonly detail?: string | undefined;
}
