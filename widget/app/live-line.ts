import { type ReadonlySignal, signal } from "@preact/signals";
import type { FailureCode } from "../../shared/errors.ts";
import { applyEvent, applyLineLost } from "./apply-event.ts";
import { createBackoff } from "./backoff.ts";
import type { BffClient } from "./bff-client.ts";
import { failureFrom } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";
import { createEventStream, type StreamStatus } from "./event-stream.ts";
import type { Log } from "./log.ts";
import { isIdentityFault } from "./problem-texts.ts";
import type { SessionLife } from "./session-life.ts";

/** A sign of typing that nobody took back; its end may have been lost with the line. */
const TYPING_MS = 15_000;

/** Failures that no waiting mends: only the customer or the operator can. */
const FINAL: ReadonlySet<FailureCode> = new Set([
  "origin_not_allowed",
  "forbidden",
  "bad_request",
  "not_found",
]);

export interface LiveLineDeps {
  readonly environment: Environment;
  readonly client: BffClient;
  readonly session: SessionLife;
  readonly log: Log;
  readonly isOpen: ReadonlySignal<boolean>;
}

/** Keeps this screen in step with the service: the session is there while the panel is open, the stream while a conversation runs. */
export function createLiveLine({ environment, client, session, log, isOpen }: LiveLineDeps) {
  const status = signal<StreamStatus>("idle");
  const backoff = createBackoff(environment.random);
  let cancelTimer = (): void => undefined;
  let cancelTyping = (): void => undefined;
  // A failure is told once, not at each attempt of ours; what a person does makes it news again.
  let isTold = false;

  const stream = createEventStream(
    {
      now: environment.now,
      random: environment.random,
      setTimer: environment.setTimer,
      // A new session may have begun since the last attempt: the token is asked for each time.
      connect: async (lastEventId, signal) => client.openEvents(await session.ensure(), lastEventId, signal),
    },
    {
      onEvent(event) {
        if (event.type === "reset" || event.type === "drain") return;
        backoff.reset();
        log.commit(applyEvent(log.state.value, event));
        cancelTyping();
        if (event.type === "typing.started") {
          cancelTyping = environment.setTimer(
            () => log.commit(applyEvent(log.state.value, { type: "typing.stopped", role: event.role })),
            TYPING_MS,
          );
        }
      },
      onStatus(next) {
        status.value = next;
        if (next !== "live") log.commit(applyLineLost(log.state.value));
      },
      onReset: () => later(),
      onRefused: () => later(),
    },
  );

  /** Asks for the session again after a growing delay: an answer that sends us back at once must not make a storm. */
  const later = () => {
    cancelTimer();
    cancelTimer = environment.setTimer(() => reach(true), backoff.next());
  };

  const reach = (again = false) => {
    cancelTimer();
    const reached = again ? session.refresh() : session.ensure();
    const onReached = () => {
      isTold = false;
    };
    reached.then(onReached, (error: unknown) => {
      const failure = failureFrom(error);
      // Told by the session itself, and mended by a person or the site's page alone.
      if (isIdentityFault(failure.code)) return;
      if (!isTold) log.tell({ type: "failed", what: "session", code: failure.code });
      isTold = true;
      if (!isOpen.value || FINAL.has(failure.code)) return;
      cancelTimer = environment.setTimer(() => reach(), backoff.next((failure.retryAfter ?? 0) * 1000));
    });
  };

  const stop = () => {
    cancelTimer();
    cancelTyping();
    stream.stop();
  };

  return {
    status,
    /** Follows the conversation that the log now holds; stops where there is none or it is over. */
    follow: () => {
      const { conversation, lastSeq } = log.state.value;
      // Where the service has no events, the BFF's own log of what was verified has.
      if (conversation?.status !== "open" || session.phase.value.kind !== "ready") stream.stop();
      else stream.start({ epoch: conversation.epoch, seq: lastSeq });
    },
    /** Starts or resumes the session; a conversation that began in another tab is found at this chance. */
    reach: () => {
      reach(session.phase.value.kind === "ready" && !stream.isWanted());
    },
    wake: () => {
      stream.wake();
      isTold = false;
      const { kind } = session.phase.value;
      if (isOpen.value && (!stream.isWanted() || kind === "failed")) reach(kind === "ready");
    },
    pause: () => {
      cancelTimer();
      stream.pause();
    },
    stop,
  };
}
