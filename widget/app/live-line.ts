import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { FailureCode } from "../../shared/errors.ts";
import { createBackoff } from "./backoff.ts";
import { failureFrom } from "./chat-failure.ts";
import type { StreamStatus } from "./event-stream.ts";
import type { CreateLine, Line, LineDeps, LineState } from "./line.ts";
import { isIdentityFault } from "./problem-texts.ts";

/** Failures that no waiting mends: only the customer or the operator can. */
const FINAL: ReadonlySet<FailureCode> = new Set([
  "origin_not_allowed",
  "forbidden",
  "bad_request",
  "not_found",
]);

export interface LiveLineDeps
  extends Pick<LineDeps, "environment" | "client" | "session" | "log" | "unread" | "draft" | "isSeen"> {
  readonly isOpen: ReadonlySignal<boolean>;
  /** Makes the line; not there before there is a conversation. */
  readonly createLine: ReadonlySignal<CreateLine | undefined>;
}

/** Keeps this screen in step with the service: the session is there while the panel is open, the line while a conversation runs. */
export function createLiveLine(deps: LiveLineDeps) {
  const { environment, session, log, isOpen, draft } = deps;
  const state: LineState = {
    status: signal<StreamStatus>("idle"),
    isBehind: signal(false),
    isLost: signal(false),
    isLeading: signal(false),
  };
  const { status, isBehind } = state;
  const backoff = createBackoff(environment.random);
  let line: Line | undefined;
  let cancelTimer = (): void => undefined;
  // A failure is told once, not at each attempt of ours; what a person does makes it news again.
  let isTold = false;

  /** Asks for the session again after a growing delay: an answer that sends us back at once must not make a storm. */
  const later = () => {
    isBehind.value = true;
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

  const stop = () => {
    line?.stop();
    status.value = "idle";
  };

  /** Follows the conversation that the log now holds; stops where there is none or it is over. */
  const follow = () => {
    const { conversation } = log.state.value;
    // Where the service has no events, the BFF's own log of what was verified has.
    if (conversation?.status !== "open" || session.state.value.kind !== "ready") stop();
    else if (line) line.follow(conversation.id);
    else status.value = "connecting";
  };

  const isIn = () => line?.isIn() ?? status.value !== "idle";

  effect(() => {
    const { value } = deps.createLine;
    if (line || !value) return;
    line = value({
      ...deps,
      ...state,
      onEvent: () => backoff.reset(),
      onBehind(isOver) {
        if (isOver || !isBehind.peek()) later();
      },
    });
    untracked(follow);
  });
  effect(() => {
    const text = draft.value;
    line?.shareDraft(text);
  });

  return {
    ...state,
    follow,
    /** This tab's customer has seen what there is. */
    sayAllSeen: () => line?.say("seen"),
    drop: () => line?.drop(),
    /** The server was just heard of. */
    hurry: () => line?.hurry(),
    /** Starts or resumes the session; a conversation that began in another tab is found at this chance. */
    reach: () => {
      reach(session.state.value.kind === "ready" && !isIn());
    },
    /** A conversation began in another tab. */
    lookAgain() {
      if (session.state.value.kind === "ready" && !isIn()) later();
    },
    wake: () => {
      if (isIn()) line?.wake();
      else follow();
      isTold = false;
      const { kind } = session.state.value;
      if (isOpen.value && (!isIn() || kind === "failed")) reach(kind === "ready");
    },
    pause: () => {
      cancelTimer();
      line?.pause();
    },
    stop() {
      cancelTimer();
      stop();
    },
  };
}
