import { computed, createModel, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FailureCode } from "../../shared/errors.ts";
import { createBackoff } from "../client/backoff.ts";
import type { Emitter } from "../client/emitter.ts";
import type { BffClient } from "./bff-client.ts";
import type { ChatFailure } from "./chat-failure.ts";
import { connectionOf, type Following, type Network, NOT_FOLLOWING } from "./connection.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { ConversationStream, CreateConversationStream } from "./conversation-stream.ts";
import type { Environment, TabMessage } from "./environment.ts";
import type { OwnerConfig } from "./owner-config.ts";
import { isIdentityFault } from "./problem-texts.ts";
import type { SessionModel } from "./session-model.ts";

/** Failures that waiting does not fix: only the customer or the operator can. */
const FINAL: ReadonlySet<FailureCode> = new Set([
  "origin_not_allowed",
  "forbidden",
  "bad_request",
  "not_found",
]);

/**
 * How long the stream of a conversation that has ended stays open at least, in ms, for its last events. A person at the
 * desk can undo the end for ten seconds. While the customer looks at it, it stays: the person may reopen it later.
 */
const LAST_EVENTS_MS = 15_000;

export interface ConnectionModelDeps {
  readonly environment: Environment;
  readonly client: BffClient;
  readonly session: SessionModel;
  readonly log: ConversationLog;
  readonly config: OwnerConfig;
  readonly tabs: Emitter<TabMessage>;
  readonly draft: Signal<string>;
  readonly unread: Signal<number>;
  readonly isOpen: ReadonlySignal<boolean>;
  readonly isSeen: () => boolean;
  /** Loads the part that follows a conversation; resolves however long that takes. */
  readonly loadStream: () => Promise<CreateConversationStream>;
}

export type ConnectionModel = InstanceType<typeof ConnectionModel>;

/**
 * Keeps this screen in sync with the service: a session while the panel is open, the stream while a conversation runs.
 */
export const ConnectionModel = createModel((deps: ConnectionModelDeps) => {
  const { environment, client, session, log, config, isOpen, draft, isSeen } = deps;
  const network = signal<Network>(environment.isOnline() ? "answering" : "offline");
  const following = signal(NOT_FOLLOWING);
  const isLeading = signal(false);
  const backoff = createBackoff(environment.random);
  let stream: ConversationStream | undefined;
  let isLoading = false;
  /** The page knows that its visitor has a conversation. */
  let isExpected = false;
  let cancelTimer = (): void => undefined;
  let cancelLeaving = (): void => undefined;
  /** The session is to be read again; `pause` cancels only the timer. */
  let isDue = false;
  // A failure is reported once, not for each automatic attempt; after a person's action it is reported again.
  let isReported = false;

  /** Somebody looks at the panel, or a reply may arrive: a session is worth another attempt. */
  const isWanted = () => isOpen.peek() || isExpected || log.state.peek().conversation?.status === "open";

  const setBehind = (isBehind: boolean) => {
    following.value = { ...following.peek(), isBehind };
  };

  /** Requests the session again after a growing delay, so that an immediate reconnect can't cause a storm. */
  const refetchLater = () => {
    setBehind(true);
    isDue = true;
    cancelTimer();
    cancelTimer = environment.setTimer(() => reach(true), backoff.next());
  };

  const reach = (again = false) => {
    cancelTimer();
    isDue = false;
    const reached = again ? session.refresh() : session.ensure();
    const settled = () => setBehind(false);
    reached.then(settled, settled);
  };

  /** A failed renewal is reported and tried again like any other start of the session. */
  const onFailed = ({ code, retryAfter = 0 }: ChatFailure) => {
    if (isIdentityFault(code)) {
      // The site is asked again only by a person or by its own page, not by a stream that reconnects.
      stop();
      log.report({ type: "identity.failed", code });
      return;
    }
    if (!isWanted()) return;
    const isOffline = network.peek() === "offline";
    if (!isReported) log.report({ type: "failed", what: "session", code, isOffline });
    isReported = true;
    cancelTimer();
    if (FINAL.has(code)) return;
    const delayMs = retryAfter ? backoff.next(retryAfter * 1000) : backoff.nextPrompt();
    cancelTimer = environment.setTimer(() => reach(), delayMs);
  };

  const stop = () => {
    isExpected = isDue = false;
    cancelTimer();
    stream?.stop();
    following.value = NOT_FOLLOWING;
  };

  const load = async () => {
    if (isLoading) return;
    isLoading = true;
    const createStream = await deps.loadStream();
    stream = createStream({
      ...deps,
      following,
      isLeading,
      onEvent: () => backoff.reset(),
      onBehind(isOver) {
        if (isOver || !following.peek().isBehind) refetchLater();
      },
    });
    follow();
  };

  /** Follows the conversation that the log now contains; stops if there is none, or at the end that nobody looks at. */
  const follow = () => {
    const { conversation } = log.state.peek();
    const isOver = conversation?.status !== "open" && !isWatched();
    // If the service has no events, the BFF's own log of verified answers provides them.
    if (!conversation || isOver || session.state.peek().kind !== "ready") {
      stream?.stop();
      following.value = NOT_FOLLOWING;
    } else if (stream) {
      stream.follow(conversation.id);
      if (conversation.status !== "open") leaveLater();
    } else {
      following.value = { stream: "connecting", isBehind: false };
      void load();
    }
  };

  /** Does nothing if it, or the next one, is open by now: its stream would begin again, in the middle of an answer. */
  const leaveEnded = () => {
    if (log.state.peek().conversation?.status === "open") return;
    if (isWatched()) leaveLater();
    else follow();
  };
  const leaveLater = () => {
    cancelLeaving();
    cancelLeaving = environment.setTimer(leaveEnded, LAST_EVENTS_MS);
  };

  const isIn = () => stream?.isIn() ?? following.peek().stream !== "idle";
  /** The customer looks at a conversation that is followed. */
  const isWatched = () => isSeen() && isIn();

  client.subscribe((sign) => {
    network.value = sign !== "silent" ? "answering" : environment.isOnline() ? "silent" : "offline";
    if (sign !== "verified") return;
    stream?.hurry();
    // Support is back: the error disappears as soon as the session is confirmed again.
    const now = session.state.peek();
    if (now.kind === "failed" && now.failure.isSilence && isWanted()) reach();
  });
  session.subscribe((change) => {
    if (change.kind === "cleared") stop();
    else if (change.kind === "failed") onFailed(change.failure);
    else if (change.kind === "started") {
      isReported = isExpected = false;
      follow();
    }
  });
  deps.tabs.subscribe((message) => {
    // Another tab started a conversation. It may be this customer's, even if one is open here: that one may be full.
    if (message === "started" && session.state.peek().kind === "ready") refetchLater();
  });
  log.subscribe((event) => {
    if (event.type === "message.received" && isSeen()) stream?.say("seen");
    // If the answer to the request arrived before the log's own end event, that event is still to come.
    if (event.type === "conversation.ended") leaveLater();
    if (event.type === "conversation.erased") follow();
  });
  effect(() => {
    const text = draft.value;
    stream?.shareDraft(text);
  });

  return {
    state: computed(() => connectionOf(session.state.value, following.value, network.value)),
    following: following as ReadonlySignal<Following>,
    /** This tab has the stream for all tabs of the browser; only this one may play a sound. */
    isLeading: isLeading as ReadonlySignal<boolean>,
    /** The owner's other way to get help; loaded once support could not be reached. */
    fallback: computed(() => config.value?.fallback),
    follow,
    sayAllSeen: () => stream?.say("seen"),
    /** Starts or resumes the session; a conversation that began in another tab is found this way. */
    reach: () => reach(isDue || (session.state.peek().kind === "ready" && !isIn())),
    /** Starts or resumes the session of a visitor who has a conversation, although nobody has opened the panel. */
    resume(): void {
      isExpected = true;
      reach();
    },
    goOffline(): void {
      network.value = "offline";
      stream?.drop();
    },
    wake(): void {
      if (isDue) refetchLater();
      if (network.peek() === "offline" && environment.isOnline()) network.value = "answering";
      if (isIn()) stream?.wake();
      else follow();
      isReported = false;
      const { kind } = session.state.peek();
      if (kind === "failed" ? isWanted() : isOpen.peek() && !isIn()) reach(kind === "ready");
    },
    pause(): void {
      cancelTimer();
      stream?.pause();
    },
  };
});
