import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FailureCode } from "../../shared/errors.ts";
import type { LiveEvent, LoggedEvent } from "../../shared/event.ts";
import { applyEvent, applyLineLost } from "./apply-event.ts";
import { createBackoff } from "./backoff.ts";
import type { BffClient } from "./bff-client.ts";
import { failureFrom } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";
import { createEventStream, type StreamStatus } from "./event-stream.ts";
import type { Log } from "./log.ts";
import { isIdentityFault } from "./problem-texts.ts";
import type { SessionLife } from "./session-life.ts";
import { createSharedLine } from "./shared-line.ts";

/** A sign of typing that nobody took back; its end may have been lost with the line. */
const TYPING_MS = 15_000;

/** So long without an event after a loss: what was missed has come. */
const QUIET_MS = 300;

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
  readonly unread: Signal<number>;
  readonly draft: Signal<string>;
  readonly isSeen: () => boolean;
}

/**
 * Keeps this screen in step with the service: the session is there while the panel is open, the stream while a
 * conversation runs, in one of the tabs that show it.
 */
export function createLiveLine(deps: LiveLineDeps) {
  const { environment, client, session, log, isOpen, unread, draft, isSeen } = deps;
  const status = signal<StreamStatus>("idle");
  /** There is more in the log than this screen has, as far as is known. */
  const isBehind = signal(false);
  /** The line was there before, and is not any more. */
  const isLost = signal(false);
  const backoff = createBackoff(environment.random);
  let cancelTimer = (): void => undefined;
  let cancelTyping = (): void => undefined;
  let cancelQuiet = (): void => undefined;
  // A failure is told once, not at each attempt of ours; what a person does makes it news again.
  let isTold = false;

  const setStatus = (next: StreamStatus) => {
    const before = status.value;
    status.value = next;
    if (next === before) return;
    if (next !== "live") log.commit(applyLineLost(log.state.value));
    else if (isLost.value) awaitQuiet();
    isLost.value = next === "idle" ? false : next !== "live" && (isLost.value || before === "live");
  };
  const awaitQuiet = () => {
    isBehind.value = true;
    cancelQuiet();
    cancelQuiet = environment.setTimer(() => {
      isBehind.value = false;
    }, QUIET_MS);
  };

  const take = (event: LoggedEvent | LiveEvent) => {
    backoff.reset();
    if (isBehind.value) awaitQuiet();
    log.commit(applyEvent(log.state.value, event));
    cancelTyping();
    if (event.type === "typing.started") {
      cancelTyping = environment.setTimer(
        () => log.commit(applyEvent(log.state.value, { type: "typing.stopped", role: event.role })),
        TYPING_MS,
      );
    }
  };

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
        shared.say("event", event);
        take(event);
      },
      onStatus(next) {
        setStatus(next);
        shared.say("beat");
      },
      onReset: () => startOver(),
      onRefused: () => startOver(),
    },
  );

  const shared = createSharedLine({
    environment,
    log,
    status,
    unread,
    draft,
    isSeen,
    onLead() {
      const { conversation, lastSeq } = log.state.value;
      if (conversation) stream.start({ epoch: conversation.epoch, seq: lastSeq });
    },
    onFollow: () => stream.stop(),
    onEvent: take,
    onStatus: setStatus,
    onBehind() {
      if (!isBehind.value) later();
    },
    onHello: () => stream.hurry(),
  });

  /** Another tab may have a session that does better. */
  const startOver = () => {
    shared.leave();
    later();
  };

  /** Asks for the session again after a growing delay: an answer that sends us back at once must not make a storm. */
  const later = () => {
    isBehind.value = true;
    cancelQuiet();
    cancelTimer();
    cancelTimer = environment.setTimer(() => reach(true), backoff.next());
  };

  const reach = (again = false) => {
    cancelTimer();
    const reached = again ? session.refresh() : session.ensure();
    const onReached = () => {
      isTold = false;
      isBehind.value = false;
    };
    reached.then(onReached, (error: unknown) => {
      isBehind.value = false;
      const failure = failureFrom(error);
      // Told by the session itself, and mended by a person or the site's page alone.
      if (isIdentityFault(failure.code)) return;
      if (!isTold) log.tell({ type: "failed", what: "session", code: failure.code });
      isTold = true;
      if (!isOpen.value || FINAL.has(failure.code)) return;
      cancelTimer = environment.setTimer(() => reach(), backoff.next((failure.retryAfter ?? 0) * 1000));
    });
  };

  /** Follows the conversation that the log now holds; stops where there is none or it is over. */
  const follow = () => {
    const { conversation, lastSeq } = log.state.value;
    // Where the service has no events, the BFF's own log of what was verified has.
    if (conversation?.status !== "open" || session.phase.value.kind !== "ready") {
      shared.leave();
      stream.stop();
    } else if (!shared.join(conversation.id) && shared.isLeading.value) {
      stream.start({ epoch: conversation.epoch, seq: lastSeq });
    }
  };

  return {
    status,
    isBehind,
    isLost,
    isLeading: shared.isLeading,
    follow,
    /** This tab's customer has seen what there is. */
    sayAllSeen: () => shared.say("seen"),
    shareDraft: shared.shareDraft,
    /** The server was just heard of. */
    hurry() {
      if (shared.isLeading.value) stream.hurry();
      else if (status.value === "waiting") shared.say("hello");
    },
    /** Starts or resumes the session; a conversation that began in another tab is found at this chance. */
    reach: () => {
      reach(session.phase.value.kind === "ready" && !shared.isIn());
    },
    /** A conversation began in another tab. */
    lookAgain() {
      if (session.phase.value.kind === "ready" && !shared.isIn()) later();
    },
    wake: () => {
      if (!shared.isIn()) follow();
      else if (shared.isLeading.value) stream.wake();
      else shared.say("hello");
      isTold = false;
      const { kind } = session.phase.value;
      if (isOpen.value && (!shared.isIn() || kind === "failed")) reach(kind === "ready");
    },
    pause: () => {
      cancelTimer();
      stream.pause();
      shared.leave();
    },
    stop() {
      cancelTimer();
      cancelTyping();
      shared.leave();
      stream.stop();
      isBehind.value = false;
    },
  };
}
