import { batch, computed, createModel, type ReadonlySignal, signal } from "@preact/signals";
import type { DeskConversation, DeskUser, TeamFactsChange } from "../../shared/desk.ts";
import type { Failure } from "../../shared/errors.ts";
import type { Announcer } from "../client/announcer.ts";
import { applyAction, applyRead, applySeen, applyTeamFacts } from "./apply-desk-event.ts";
import type { BoardStore } from "./board-store.ts";
import { isGone, isRefusal, isSignedOut } from "./desk-calls.ts";
import type { DeskClient } from "./desk-client.ts";
import { actionTroubleText, troubleText } from "./failure-texts.ts";
import type { Reading } from "./reading.ts";
import { texts } from "./texts.ts";

/** The actions of a person for a conversation as a whole. */
export type ActionName = "take" | "giveBack" | "resolve" | "reopen";

/**
 * An action that was refused, or is not confirmed. It disappears when a later reading shows that it happened, or that the
 * colleague whom a refusal names has it no more.
 */
export interface ActionDoubt {
  readonly conversationId: string;
  readonly action: ActionName;
  readonly failure: Failure;
}

export interface OpenedModelDeps {
  readonly client: Pick<
    DeskClient,
    "read" | "markRead" | "describeCustomer" | "answerAction" | "take" | "giveBack" | "resolve" | "reopen"
  >;
  readonly store: BoardStore;
  readonly announcer: Announcer;
  readonly me: ReadonlySignal<DeskUser | undefined>;
  /** Whether the person is looking at this page now: only then is anything "seen". */
  readonly isPresent: () => boolean;
  readonly noteFailure: (cause: unknown) => Failure;
  /** Called with the failure of a reading that the desk repeats. */
  readonly noteUnread: (cause: unknown) => Failure;
  /** Called when a conversation on the screen is gone at the service. */
  readonly onGone: (id: string) => Promise<unknown>;
  readonly setTimer: (run: () => void, ms: number) => () => void;
  /** Reads queue and conversation again. */
  readonly refresh: () => Promise<void>;
}

/** How long a resolved conversation can be opened again with one press. Afterwards it has its own button. */
const UNDO_MS = 10_000;

export type OpenedModel = InstanceType<typeof OpenedModel>;

/** The open conversation: reading it, acting on it, and reporting how far it was seen. */
export const OpenedModel = createModel((deps: OpenedModelDeps) => {
  const { client, store, announcer, me, noteFailure } = deps;
  const openedId = signal<string | undefined>(undefined);
  const openedReading = signal<Reading | "erased">("ready");
  const busy = signal<Readonly<Record<string, ActionName>>>({});
  const doubt = signal<ActionDoubt | undefined>(undefined);
  /** The conversation that the person left to read an earlier one. While it is set, nothing can be done here but read. */
  const cameFrom = signal<string | undefined>(undefined);
  const undoable = signal<string | undefined>(undefined);
  let withdraw = (): void => undefined;
  /** Conversations whose position is being sent to the service. */
  const marking = new Set<string>();
  /** Counts the readings: an earlier one is shown only while there is nothing else to show. */
  let asked = 0;
  let isAsking = false;
  /** The reading under way may lack something that is known by now: it is followed by another one. */
  let isOvertaken = false;

  /**
   * Reports to the service how far a person has really seen the conversation: it is open, and the person is looking at
   * the page. An unconfirmed report is sent again with the next change, or the next tick.
   */
  function look(): void {
    const { opened } = store.state.peek();
    if (!opened || opened.id !== openedId.peek() || !deps.isPresent()) return;
    const upTo = opened.messages.findLast(({ role }) => role === "customer")?.seq ?? 0;
    if (upTo <= opened.seenSeq || marking.has(opened.id)) return;
    marking.add(opened.id);
    client
      .markRead(opened.id, upTo)
      .then(() => store.commit(applySeen(store.state.peek(), opened.id, upTo)), noteFailure)
      .finally(() => marking.delete(opened.id));
  }

  function isDone({ conversationId, action }: ActionDoubt, opened: DeskConversation): boolean {
    if (opened.id !== conversationId) return false;
    if (action === "take" || action === "reopen")
      return opened.state === "taken" && opened.takenBy?.id === me.peek()?.id;
    return opened.state === (action === "resolve" ? "ended" : "agent");
  }
  /** Taking was refused because somebody had it, who has it no more. */
  const isFreed = (
    { action, failure }: ActionDoubt,
    before: DeskConversation | undefined,
    opened: DeskConversation,
  ): boolean =>
    action === "take" && isRefusal(failure) && before?.state === "taken" && opened.state !== "taken";

  async function readOpened(): Promise<void> {
    const id = openedId.peek();
    if (id === undefined) return;
    asked += 1;
    const turn = asked;
    isAsking = true;
    isOvertaken = false;
    try {
      const read = await client.read(id);
      // It may have been erased since the service sent the answer.
      if (openedId.peek() !== id || openedReading.peek() === "erased") return;
      if ((turn !== asked || isOvertaken) && store.state.peek().opened) return;
      openedReading.value = "ready";
      store.commit(applyRead(store.state.peek(), read));
    } catch (cause) {
      const failure = deps.noteUnread(cause);
      const isShown = store.state.peek().opened?.id === id;
      if (isShown && isGone(failure)) await deps.onGone(id);
      // A conversation on the screen stays; only one that was never shown reports that it could not be read.
      const isSettled = isShown || openedReading.peek() === "erased";
      if (turn === asked && openedId.peek() === id && !isSettled) openedReading.value = failure.code;
    } finally {
      if (turn === asked) {
        isAsking = false;
        if (isOvertaken) void readOpened();
      }
    }
  }

  /** Reads once more after the reading under way, however often it is called meanwhile. */
  function readNext(): void {
    if (isAsking) isOvertaken = true;
    else void readOpened();
  }

  /** Facts without a seq changed: an answer that is on its way may be older, and is not shown. */
  function overtake(id: string | undefined): void {
    if (isAsking && id !== undefined && id === openedId.peek()) isOvertaken = true;
  }

  /**
   * Runs one action. Success is shown only when the service confirmed it; after any doubt the conversation is read
   * again.
   */
  async function act(action: ActionName, confirm: (id: string) => Promise<void>): Promise<void> {
    const id = openedId.peek();
    if (id === undefined || busy.peek()[id]) return;
    busy.value = { ...busy.peek(), [id]: action };
    doubt.value = undefined;
    try {
      await confirm(id);
    } catch (cause) {
      const failure = noteFailure(cause);
      if (isSignedOut(failure)) return;
      doubt.value = { conversationId: id, action, failure };
      if (action === "reopen" && failure.code === "conversation_ended" && undoable.peek() === id)
        withdrawUndo();
      announcer.say(troubleText(texts.action[action], failure), true);
    } finally {
      const { [id]: _, ...others } = busy.peek();
      busy.value = others;
    }
    // The stream may have delivered something newer than the answer, and an unconfirmed action may have happened.
    await deps.refresh();
  }
  /** The service confirmed the state of the conversation, and who has it. */
  const settle = (id: string, state: DeskConversation["state"], takenBy?: DeskConversation["takenBy"]) =>
    store.commit(applyAction(store.state.peek(), id, state, takenBy));
  const settleMine = (id: string) => {
    const user = me.peek();
    if (user) settle(id, "taken", { id: user.id, name: user.name });
  };

  function open(id: string, from?: string): void {
    cameFrom.value = from;
    if (openedId.peek() === id && openedReading.peek() === "ready") return;
    openedId.value = id;
    openedReading.value = "reading";
    doubt.value = undefined;
    store.replace({ ...store.state.peek(), opened: undefined });
    void readOpened();
  }
  const reopen = (): Promise<void> =>
    act("reopen", async (id) => {
      await client.reopen(id);
      settleMine(id);
      announcer.say(texts.said.reopened);
      withdrawUndo();
    });
  function offerUndo(id: string): void {
    withdrawUndo();
    undoable.value = id;
    withdraw = deps.setTimer(withdrawUndo, UNDO_MS);
  }
  function withdrawUndo(): void {
    withdraw();
    undoable.value = undefined;
  }

  store.subscribe(({ before, next: { opened } }) => {
    const doubted = doubt.peek();
    if (opened && doubted && (isDone(doubted, opened) || isFreed(doubted, before.opened, opened)))
      doubt.value = undefined;
    look();
  });

  return {
    openedId: openedId as ReadonlySignal<string | undefined>,
    /** "erased": it is gone for good. */
    openedReading: openedReading as ReadonlySignal<Reading | "erased">,
    busy: busy as ReadonlySignal<Readonly<Record<string, ActionName>>>,
    doubt: doubt as ReadonlySignal<ActionDoubt | undefined>,
    /** Whether this person may answer the open conversation. */
    isMine: computed(() => {
      const { opened } = store.state.value;
      return opened?.state === "taken" && opened.takenBy?.id === me.value?.id;
    }),
    look,
    readOpened,
    readNext,
    overtake,
    open: (id: string) => open(id),
    cameFrom: cameFrom as ReadonlySignal<string | undefined>,
    /** Shows an earlier conversation of the same customer, to be read. */
    openEarlier: (id: string) => open(id, cameFrom.peek() ?? openedId.peek()),
    readAgain(): void {
      openedReading.value = "reading";
      void readOpened();
    },
    noteErased(id: string): void {
      if (openedId.peek() !== id) return;
      openedReading.value = "erased";
      announcer.say(texts.said.erased);
    },
    take: (): Promise<void> =>
      act("take", async (id) => {
        await client.take(id);
        settleMine(id);
        announcer.say(texts.said.taken);
      }),
    giveBack: (): Promise<void> =>
      act("giveBack", async (id) => {
        await client.giveBack(id);
        settle(id, "agent");
        announcer.say(texts.said.givenBack);
      }),
    resolve: (): Promise<void> =>
      act("resolve", async (id) => {
        await client.resolve(id);
        settle(id, "ended", store.state.peek().opened?.takenBy);
        announcer.say(texts.said.resolved);
        offerUndo(id);
      }),
    reopen,
    /** The conversation that was just resolved here, while that can be undone with one press. */
    undoable: undoable as ReadonlySignal<string | undefined>,
    /** Opens the conversation that was just resolved, on screen and for its customer. */
    async undo(): Promise<void> {
      const id = undoable.peek();
      if (id === undefined) return;
      open(id);
      await reopen();
    },
    /** Throws the `Failure` for the form to show. */
    async describeCustomer(id: string, change: TeamFactsChange): Promise<void> {
      try {
        const team = await client.describeCustomer(id, change);
        store.commit(applyTeamFacts(store.state.peek(), id, team));
        overtake(id);
        announcer.say(texts.said.described);
      } catch (cause) {
        throw noteFailure(cause);
      }
    },
    /** Returns why the service did not take the answer. What becomes of the action is an event of the log. */
    async answerAction(
      id: string,
      answer: { actionId: string; approved: boolean },
    ): Promise<Failure | undefined> {
      try {
        await client.answerAction(id, answer);
        return undefined;
      } catch (cause) {
        const failure = noteFailure(cause);
        announcer.say(actionTroubleText(failure), true);
        return failure;
      } finally {
        void readOpened();
      }
    },
    /** The desk starts, and is about to read the open conversation again. */
    restart(): void {
      openedReading.value = "reading";
    },
    /** Cancels what is in progress, and stays on the same conversation. */
    suspend(): void {
      withdrawUndo();
      openedId.value = cameFrom.peek() ?? openedId.peek();
      cameFrom.value = undefined;
      busy.value = {};
      doubt.value = undefined;
    },
    close: () =>
      batch(() => {
        openedId.value = undefined;
        cameFrom.value = undefined;
      }),
  };
});
