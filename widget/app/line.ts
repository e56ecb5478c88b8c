import type { Signal } from "@preact/signals";
import type { LiveEvent, LoggedEvent } from "../../shared/event.ts";
import { applyEvent, applyLineLost } from "./apply-event.ts";
import type { BffClient } from "./bff-client.ts";
import type { Environment } from "./environment.ts";
import { createEventStream, type StreamStatus } from "./event-stream.ts";
import type { Log } from "./log.ts";
import type { SessionLife } from "./session-life.ts";
import { createSharedLine } from "./shared-line.ts";
import { createTellTyping } from "./tell-typing.ts";

/** A sign of typing that nobody took back; its end may have been lost with the line. */
const TYPING_MS = 15_000;

/** So long without an event after a loss: what was missed has come. */
const QUIET_MS = 300;

/** How the line stands. The model shows it, `createLine` changes it. */
export interface LineState {
  readonly status: Signal<StreamStatus>;
  /** There is more in the log than this screen has, as far as is known. */
  readonly isBehind: Signal<boolean>;
  /** The line was there before, and is not any more. */
  readonly isLost: Signal<boolean>;
  /** This tab keeps the line for all that show the conversation. */
  readonly isLeading: Signal<boolean>;
}

export interface LineDeps extends LineState {
  readonly environment: Environment;
  readonly client: BffClient;
  readonly session: SessionLife;
  readonly log: Log;
  readonly unread: Signal<number>;
  readonly draft: Signal<string>;
  readonly isSeen: () => boolean;
  /** An event was taken. */
  readonly onEvent: () => void;
  /** The conversation must be fetched again; `isOver` where this session has no line to it any more. */
  readonly onBehind: (isOver: boolean) => void;
}

export type CreateLine = typeof createLine;
export type Line = ReturnType<CreateLine>;

/** The line to a running conversation: the stream itself in the tab that leads, what that tab says of it in the others. */
export function createLine(deps: LineDeps) {
  const { environment, client, session, log, status, isBehind, isLost, isLeading } = deps;
  let cancelTyping = (): void => undefined;
  let cancelQuiet = (): void => undefined;

  const setStatus = (next: StreamStatus) => {
    const before = status.value;
    status.value = next;
    if (next === before) return;
    if (next !== "live") log.commit(applyLineLost(log.state.value));
    else if (isLost.value) awaitQuiet();
    // Opened anew by ourselves, for a new session, is no loss.
    isLost.value = next === "waiting" || (next === "connecting" && isLost.value);
  };
  const awaitQuiet = () => {
    isBehind.value = true;
    cancelQuiet();
    cancelQuiet = environment.setTimer(() => {
      isBehind.value = false;
    }, QUIET_MS);
  };

  const take = (event: LoggedEvent | LiveEvent) => {
    deps.onEvent();
    if (isBehind.value) awaitQuiet();
    log.commit(applyEvent(log.state.value, event));
    if (event.type !== "typing.started") return;
    cancelTyping();
    cancelTyping = environment.setTimer(
      () => log.commit(applyEvent(log.state.value, { type: "typing.stopped", role: event.role })),
      TYPING_MS,
    );
  };

  /** Another tab may have a session that does better. */
  const giveUp = () => {
    cancelQuiet();
    shared.leave();
    deps.onBehind(true);
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
        // One's own writing is no news.
        if ("role" in event && event.role === "customer") return;
        shared.say("event", event);
        take(event);
      },
      onStatus(next) {
        setStatus(next);
        shared.say("beat");
      },
      onReset: giveUp,
      onRefused: giveUp,
    },
  );
  const start = () => {
    const { conversation, lastSeq } = log.state.value;
    if (conversation) stream.start({ epoch: conversation.epoch, seq: lastSeq });
  };

  const shared = createSharedLine({
    ...deps,
    onLead: start,
    onFollow: stream.stop,
    onEvent: take,
    onStatus: setStatus,
    onBehind: () => deps.onBehind(false),
    onHello: () => stream.hurry(),
  });

  const tellTyping = createTellTyping(deps);

  return {
    isIn: shared.isIn,
    say: shared.say,
    shareDraft(text: string) {
      shared.shareDraft(text);
      tellTyping(text);
    },
    /** Follows this conversation from what the log has of it. */
    follow(conversationId: string) {
      const customerId = session.customer()?.externalId;
      if (!shared.join(conversationId, customerId) && isLeading.value) start();
    },
    drop: stream.drop,
    hurry() {
      if (isLeading.value) stream.hurry();
      else if (status.value === "waiting") shared.say("hello");
    },
    wake() {
      if (isLeading.value) stream.wake();
      else shared.say("hello");
    },
    pause() {
      stream.pause();
      shared.leave();
    },
    stop() {
      cancelTyping();
      cancelQuiet();
      isBehind.value = false;
      shared.leave();
      stream.stop();
    },
  };
}
