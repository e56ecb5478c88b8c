import type { Signal } from "@preact/signals";
import type { LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { StreamStatus } from "../client/event-stream.ts";
import { applyEvent, applyStreamLost } from "./apply-event.ts";
import type { BffClient } from "./bff-client.ts";
import { createChatEventStream } from "./chat-event-stream.ts";
import type { Following } from "./connection.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Environment } from "./environment.ts";
import { followingAfter, statusOf } from "./following.ts";
import type { SessionModel } from "./session-model.ts";
import { createSharedStream } from "./shared-stream.ts";
import { createTypingSender } from "./typing-sender.ts";

/** A typing signal that never stops is dropped after this long, because its end may have been lost. */
const TYPING_MS = 15_000;

/** After this long without an event following a loss, all missed events have arrived. */
const QUIET_MS = 300;

export interface ConversationStreamDeps {
  readonly environment: Environment;
  readonly client: BffClient;
  readonly session: SessionModel;
  readonly log: ConversationLog;
  readonly following: Signal<Following>;
  /** This tab has the stream for all tabs that show the conversation. */
  readonly isLeading: Signal<boolean>;
  readonly unread: Signal<number>;
  readonly draft: Signal<string>;
  /** Whether somebody is looking at the open panel. */
  readonly isSeen: () => boolean;
  /** An event was applied. */
  readonly onEvent: () => void;
  /** The conversation must be fetched again; `isOver` if this session no longer has a stream for it. */
  readonly onBehind: (isOver: boolean) => void;
}

export type CreateConversationStream = typeof createConversationStream;
export type ConversationStream = ReturnType<CreateConversationStream>;

/**
 * Follows a running conversation: through its own event stream in the leading tab, through that tab's messages in the
 * others.
 */
export function createConversationStream(deps: ConversationStreamDeps) {
  const { environment, client, session, log, following, isLeading } = deps;
  let cancelTyping = (): void => undefined;
  let cancelQuiet = (): void => undefined;
  let isPaused = false;

  const setStatus = (next: StreamStatus) => {
    const now = following.peek();
    if (next === statusOf(now)) return;
    // A page that is back from the browser's cache missed what came meanwhile, as after a loss.
    const before: Following = isPaused && next === "live" ? { ...now, stream: "reconnecting" } : now;
    if (next === "live") isPaused = false;
    following.value = followingAfter(before, next);
    if (next !== "live") log.commit(applyStreamLost(log.state.value));
    else if (before.stream === "waiting" || before.stream === "reconnecting") awaitQuiet();
  };
  const awaitQuiet = () => {
    cancelQuiet();
    cancelQuiet = environment.setTimer(() => {
      following.value = { ...following.peek(), isBehind: false };
    }, QUIET_MS);
  };

  const take = (event: LoggedEvent | LiveEvent) => {
    deps.onEvent();
    if (following.peek().isBehind) awaitQuiet();
    log.commit(applyEvent(log.state.value, event));
    if (event.type !== "typing.started") return;
    cancelTyping();
    cancelTyping = environment.setTimer(
      () => log.commit(applyEvent(log.state.value, { type: "typing.stopped", role: event.role })),
      TYPING_MS,
    );
  };

  /** Another tab may have a session that still has a stream. */
  const giveUp = () => {
    cancelQuiet();
    shared.leave();
    deps.onBehind(true);
  };
  const stream = createChatEventStream(
    {
      now: environment.now,
      random: environment.random,
      setTimer: environment.setTimer,
      isPrompt: environment.isVisible,
      // A new session may have begun since the last attempt, so the token is read each time.
      connect: async (lastEventId, signal) => client.openEvents(await session.ensure(), lastEventId, signal),
    },
    {
      onEvent(event) {
        // One's own message is not news.
        if ("role" in event && event.role === "customer") return;
        shared.say("event", event);
        take(event);
      },
      onStatus(next) {
        setStatus(next);
        // After losing the lead the stream stops, which is no news of the tab that leads now.
        if (isLeading.value) shared.say("beat");
      },
      onReset() {
        // A log may have lost its last entries, so the next snapshot is of another log although its epoch may be the same.
        const { conversation } = log.state.value;
        log.replace({ ...log.state.value, conversation: conversation && { ...conversation, epoch: "" } });
        giveUp();
      },
      onRefused: giveUp,
    },
  );
  const start = () => {
    const { conversation, lastSeq } = log.state.value;
    if (conversation) stream.start({ epoch: conversation.epoch, seq: lastSeq });
  };

  const shared = createSharedStream({
    ...deps,
    onLead: start,
    onFollow: stream.stop,
    onEvent: take,
    onStatus(next) {
      isPaused = false;
      setStatus(next);
    },
    onBehind: () => deps.onBehind(false),
    onHello: () => stream.hurry(),
  });

  const sendTyping = createTypingSender(deps);

  return {
    isIn: shared.isIn,
    say: shared.say,
    shareDraft(text: string) {
      shared.shareDraft(text);
      sendTyping(text);
    },
    /** Follows this conversation after what the log already has. */
    follow(conversationId: string) {
      const customerId = session.customer()?.externalId;
      if (!shared.join(conversationId, customerId) && isLeading.value) start();
    },
    drop: stream.drop,
    hurry() {
      if (isLeading.value) stream.hurry();
      else if (following.peek().stream === "waiting") shared.say("hello");
    },
    wake() {
      if (isLeading.value) stream.wake();
      else shared.say("hello");
    },
    pause() {
      stream.pause();
      // A restored page must not show the state from before it left.
      if (shared.isIn()) {
        setStatus("connecting");
        isPaused = true;
      }
      shared.leave();
    },
    stop() {
      cancelTyping();
      cancelQuiet();
      isPaused = false;
      shared.leave();
      stream.stop();
    },
  };
}
