import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { applyEnd, applyHandoff } from "./apply-own.ts";
import { askOnScreen } from "./ask-on-screen.ts";
import type { BffClient } from "./bff-client.ts";
import { ChatFailure, failureFrom, isFailure } from "./chat-failure.ts";
import type { ConversationLog } from "./conversation-log.ts";
import { placeOf } from "./log-state.ts";
import type { SessionModel } from "./session-model.ts";
import type { StoredRequest } from "./stored-draft.ts";

/** The state of a customer's request. `afterMessage`: it is sent once there is a conversation. */
export type RequestState = (
  | { readonly kind: "idle" | "asking" | "afterMessage" }
  | { readonly kind: "failed"; readonly failure: ChatFailure }
) & {
  /** The page's reason for a person: it is sent with each attempt. */
  readonly reason?: string | undefined;
};

export interface RequestsDeps {
  readonly client: BffClient;
  readonly session: SessionModel;
  readonly log: ConversationLog;
  readonly handoff: Signal<RequestState>;
}

const IDLE: RequestState = { kind: "idle" };

/**
 * The customer's requests for the conversation as a whole. A request counts as done only once the service verifiably
 * confirmed it.
 */
export function createRequests({ client, session, log, handoff }: RequestsDeps) {
  const end = signal<RequestState>(IDLE);
  const actions = signal<ReadonlyMap<string, RequestState>>(new Map());
  let running: Promise<ChatFailure | undefined> | undefined;
  /** Changes with each conversation and customer: a late failure of an earlier request is not shown at the next. */
  let turn = 0;
  /** How often all requests were forgotten, as after a logout. */
  let forgotten = 0;

  const isOpenConversation = () => log.state.value.conversation?.status === "open";
  const isWithPeople = () => {
    const status = log.state.value.conversation?.handoff?.status;
    return status === "requested" || status === "accepted";
  };

  const askForHuman = async (reason?: string): Promise<ChatFailure | undefined> => {
    const before = handoff.value;
    handoff.value = { kind: "asking", reason };
    const mine = turn;
    const { id = "" } = log.state.value.conversation ?? {};
    try {
      const answer = await askOnScreen(session, before, (token) => client.requestHandoff(token, id, reason));
      // Another conversation began meanwhile, and nobody was asked for in that one.
      if (log.state.value.conversation?.id !== id) throw new ChatFailure("conversation_ended");
      log.commit(applyHandoff(log.state.value, answer));
      handoff.value = IDLE;
      return undefined;
    } catch (error) {
      if (mine === turn && isFailure(error, "conversation_ended")) {
        // The screen did not know that it ended. A failure is in the session's state.
        await session.refresh().catch(() => undefined);
        if (mine === turn && !isOpenConversation()) return requestHuman(reason);
      }
      return fail(handoff, "handoff", mine, error);
    }
  };

  const fail = (
    state: typeof handoff,
    what: "handoff" | "end",
    mine: number,
    error: unknown,
  ): ChatFailure => {
    const failure = failureFrom(error);
    if (mine !== turn) return failure;
    // The log may have brought the proof although the answer was lost.
    const isDone = what === "handoff" ? isWithPeople() : !isOpenConversation();
    state.value = isDone ? IDLE : { ...state.value, kind: "failed", failure };
    if (!isDone) log.report({ type: "failed", what, code: failure.code });
    return failure;
  };

  const requestHuman = async (reason = handoff.value.reason): Promise<ChatFailure | undefined> => {
    if (!isOpenConversation()) {
      handoff.value = { kind: "afterMessage", reason };
      if (session.mayHaveConversation()) {
        // Only the session says whether an earlier page or another tab began a conversation. Then it takes the wish along.
        const mine = forgotten;
        await session.ensure().catch(() => undefined);
        if (mine !== forgotten) return new ChatFailure("no_conversation");
        if (running) return running;
        if (isWithPeople()) return undefined;
      }
      log.report({ type: "said", isUrgent: false, words: (texts) => texts.personAfterMessage });
      return new ChatFailure("no_conversation");
    }
    if (isWithPeople()) {
      handoff.value = IDLE;
      return undefined;
    }
    if (running) return running;
    const run: Promise<ChatFailure | undefined> = askForHuman(reason).finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };

  const leave = () => {
    turn += 1;
    running = undefined;
    end.value = IDLE;
  };

  log.subscribe((event) => {
    if (event.type === "handoff.requested" || event.type === "handoff.accepted") handoff.value = IDLE;
    if (event.type === "conversation.ended") {
      handoff.value = IDLE;
      end.value = IDLE;
    }
  });

  return {
    handoff: handoff as ReadonlySignal<RequestState>,
    end: end as ReadonlySignal<RequestState>,
    actions,
    isPersonAsked: computed(
      () => isOpenConversation() && (isWithPeople() || handoff.value.kind === "asking"),
    ),
    /** Asks for a person. Returns the failure if the service did not confirm it; without a conversation it is asked after the first message. */
    requestHuman,
    /** Shows what an earlier page of this tab left, unless the service reports a request since. */
    restore({ code, place, reason, by }: Partial<StoredRequest>): void {
      if (handoff.value.kind !== "idle") return;
      const { externalId, identified } = session.customer() ?? {};
      const isOver = by !== undefined && by !== externalId && !identified;
      // Only a stored request has a place, and the page that stored it has announced it.
      if (code === undefined && place !== undefined && !isOpenConversation())
        handoff.value = { kind: "afterMessage", reason };
      else if (code === undefined || isOver) void requestHuman(reason);
      else if (isOpenConversation() && placeOf(log.state.value) === place) {
        const failure = new ChatFailure(code, { isSilence: code === "support_timeout" });
        handoff.value = { kind: "failed", failure, reason };
      }
    },
    onConversationStarted() {
      leave();
      if (handoff.value.kind !== "afterMessage") handoff.value = IDLE;
      else if (isOpenConversation()) void requestHuman();
    },
    endConversation: async (): Promise<ChatFailure | undefined> => {
      if (!isOpenConversation() && session.mayHaveConversation()) {
        // Only the session says whether an earlier page or another tab began a conversation.
        try {
          await session.ensure();
        } catch (error) {
          return failureFrom(error);
        }
      }
      const id = log.state.value.conversation?.id;
      if (!id || !isOpenConversation()) return new ChatFailure("no_conversation");
      const before = end.value;
      end.value = { kind: "asking" };
      const mine = turn;
      try {
        await askOnScreen(session, before, (token) => client.endConversation(token, id));
        if (log.state.value.conversation?.id === id) log.commit(applyEnd(log.state.value));
        if (mine === turn) end.value = IDLE;
        return undefined;
      } catch (error) {
        return fail(end, "end", mine, error);
      }
    },
    /** Forgets all requests, except a wish for a person that `left` still waits with. */
    reset(left: RequestState = IDLE) {
      leave();
      if (left === IDLE) forgotten += 1;
      handoff.value = left;
      actions.value = new Map();
    },
  };
}
