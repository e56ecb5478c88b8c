import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import type { DeskConversation, DeskEvent, DeskUser } from "../../shared/desk.ts";
import { Failure, type FailureCode } from "../../shared/errors.ts";
import { MessageBody } from "../../shared/message.ts";
import { createAnnouncer } from "./announcer.ts";
import {
  applyAction,
  applyDeskEvent,
  applyMessage,
  applyQueue,
  applyRead,
  type Board,
  dropLive,
  EMPTY_BOARD,
  needsRead,
} from "./apply-desk-event.ts";
import type { Columns } from "./columns.ts";
import { type DeskClient, isSignedOut } from "./desk-client.ts";
import { createNews } from "./desk-news.ts";
import { type Connection, createDeskStream } from "./desk-stream.ts";
import { createOutbox } from "./outbox.ts";
import { countWaiting, groupQueue } from "./queue-order.ts";
import { createTellTyping } from "./tell-typing.ts";
import { texts } from "./texts.ts";

/** What a person can do to a conversation as a whole. */
export type ActionName = "take" | "giveBack" | "resolve";

/** An action that was not confirmed; it goes away when a later reading shows that it did happen. */
export interface ActionDoubt {
  readonly conversationId: string;
  readonly action: ActionName;
  readonly failure: Failure;
}

/** Which region a small screen shows. */
export type View = "queue" | "conversation" | "customer";

/** reading: on its way. ready: shown. erased: gone for good. A code: could not be read, for this reason. */
export type Reading = "reading" | "ready" | "erased" | FailureCode;

export interface BoardModelDeps {
  readonly client: DeskClient;
  readonly setTimer: (run: () => void, ms: number) => () => void;
  readonly random: () => number;
  readonly newId: () => string;
  /** Milliseconds since 1970, of this machine; for durations on the screen only. */
  readonly now: () => number;
  /** Whether a person has this page before their eyes now: only then is anything "seen". Without it nothing ever is. */
  readonly isPresent?: () => boolean;
  /** Without it there is room for all three. */
  readonly columns?: ReadonlySignal<Columns>;
  readonly onSignedOut: () => void;
  /** The service refuses this person or this page: who is signed in may have changed in another window. */
  readonly onForbidden: () => void;
}

/** How often "waiting 4 min" is worked out again. */
const TICK_MS = 10_000;

export type BoardModel = ReturnType<typeof createBoardModel>;

/** The desk of a person who is signed in: queue, open conversation, replies, actions. No DOM in it. */
export function createBoardModel(deps: BoardModelDeps) {
  const { client } = deps;
  const me = signal<DeskUser | undefined>(undefined);
  const board = signal<Board>(EMPTY_BOARD);
  const queueReading = signal<Exclude<Reading, "erased">>("reading");
  const openedId = signal<string | undefined>(undefined);
  const openedReading = signal<Reading>("ready");
  const connection = signal<Connection>("connecting");
  const view = signal<View>("queue");
  const drafts = signal<Readonly<Record<string, string>>>({});
  const busy = signal<Readonly<Record<string, ActionName>>>({});
  const doubt = signal<ActionDoubt | undefined>(undefined);
  const now = signal(deps.now());
  const announcer = createAnnouncer(deps.setTimer);
  const news = createNews((text) => announcer.say(text));
  let changed = new Set<string>();
  /** Conversations of which the service is being told how far they were read. */
  const telling = new Set<string>();
  let cancelTick: (() => void) | undefined;

  const outbox = createOutbox({
    reply: (id, reply) => client.reply(id, reply),
    newId: deps.newId,
    now: deps.now,
    onConfirmed(conversationId, message) {
      commit(applyMessage(board.value, conversationId, message));
      announcer.say(texts.said.sent);
    },
    onNotConfirmed(_, failure) {
      announcer.say(texts.said.notConfirmed, true);
      noteFailure(failure);
    },
  });

  const tellTyping = createTellTyping({ tell: (id) => client.tellTyping(id), setTimer: deps.setTimer });

  const stream = createDeskStream({
    connect: (signal) => client.events(signal),
    setTimer: deps.setTimer,
    random: deps.random,
    now: deps.now,
    onEvent: receive,
    onConnection,
    onSignedOut: () => deps.onSignedOut(),
  });

  /** The one place where the board changes: what it says for the first time is announced, what it confirms is settled. */
  function commit(next: Board): void {
    const before = board.value;
    if (next === before) return;
    batch(() => {
      board.value = next;
      news.hearQueue(next.queue, queueReading.value === "ready");
      if (next.opened) {
        outbox.settle(next.opened.messages);
        if (before.opened?.id === next.opened.id) news.hearConversation(before.opened, next.opened);
        if (doubt.value && isDone(doubt.value, next.opened)) doubt.value = undefined;
      }
    });
    noteSeen();
  }

  /**
   * Tells the customer how far a person has really seen their conversation: it is open, and the page is looked at. What is
   * not confirmed is told again with the next thing that happens, or the next tick.
   */
  function noteSeen(): void {
    const { opened } = board.value;
    if (!opened || opened.id !== openedId.value || !deps.isPresent?.()) return;
    const upTo = opened.messages.findLast(({ role }) => role === "customer")?.seq ?? 0;
    if (upTo <= (opened.read?.human ?? 0) || telling.has(opened.id)) return;
    telling.add(opened.id);
    client
      .markRead(opened.id, upTo)
      .then(() => {
        const event = { type: "conversation.read" as const, by: "human" as const, upTo };
        commit(applyDeskEvent(board.value, { type: "conversation.event", conversationId: opened.id, event }));
      }, noteFailure)
      .finally(() => telling.delete(opened.id));
  }

  function isDone({ conversationId, action }: ActionDoubt, opened: DeskConversation): boolean {
    if (opened.id !== conversationId) return false;
    if (action === "take") return opened.state === "taken" && opened.takenBy?.id === me.value?.id;
    return opened.state === (action === "resolve" ? "ended" : "agent");
  }

  function receive(event: DeskEvent): void {
    const again = needsRead(board.value, event);
    if (event.type === "queue.changed") changed.add(event.conversation.id);
    else if (event.event.type === "message.created") outbox.settle([event.event.message]);
    commit(applyDeskEvent(board.value, event));
    if (event.type === "conversation.event" && event.event.type === "conversation.erased") {
      noteErased(event.conversationId);
    }
    if (again) void readOpened();
  }

  function noteErased(id: string): void {
    if (openedId.value !== id) return;
    openedReading.value = "erased";
    announcer.say(texts.said.erased);
  }

  function onConnection(next: Connection): void {
    const before = connection.value;
    connection.value = next;
    if (next === "live") {
      commit(dropLive(board.value));
      void refresh();
      if (before === "waiting") announcer.say(texts.said.live);
    } else if (next === "waiting" && before === "live") {
      commit(dropLive(board.value));
      announcer.say(texts.said.reconnecting);
    } else if (next !== "connecting" && queueReading.value !== "ready") {
      // Without a live line the queue can still be read.
      void refresh();
    }
  }

  /** A failure that ends the session ends it everywhere; any other one is shown where it happened. */
  function noteFailure(cause: unknown): Failure {
    const failure = cause instanceof Failure ? cause : new Failure("internal", { cause });
    if (isSignedOut(failure)) deps.onSignedOut();
    else if (failure.code === "forbidden") deps.onForbidden();
    return failure;
  }

  async function readQueue(): Promise<void> {
    changed = new Set();
    try {
      const rows = await client.queue();
      queueReading.value = "ready";
      commit(applyQueue(board.value, rows, changed));
    } catch (cause) {
      const { code } = noteFailure(cause);
      if (queueReading.value !== "ready") queueReading.value = code;
    }
  }

  async function readOpened(): Promise<void> {
    const id = openedId.value;
    if (id === undefined) return;
    try {
      const read = await client.read(id);
      if (openedId.value !== id) return;
      openedReading.value = "ready";
      commit(applyRead(board.value, read));
    } catch (cause) {
      const { code } = noteFailure(cause);
      // What is on the screen stays; only a conversation that was never shown says that it could not be read.
      const isShown = board.value.opened?.id === id || openedReading.value === "erased";
      if (openedId.value === id && !isShown) openedReading.value = code;
    }
  }

  async function refresh(): Promise<void> {
    await Promise.all([readQueue(), readOpened()]);
  }

  function tick(): void {
    now.value = deps.now();
    noteSeen();
    cancelTick = deps.setTimer(tick, TICK_MS);
  }

  /** Runs one action; its success is shown only when the service confirmed it, and any doubt is cleared up by reading again. */
  async function act(action: ActionName, confirm: (id: string) => Promise<void>): Promise<void> {
    const id = openedId.value;
    if (id === undefined || busy.value[id]) return;
    busy.value = { ...busy.value, [id]: action };
    doubt.value = undefined;
    let isOver = false;
    try {
      await confirm(id);
    } catch (cause) {
      const failure = noteFailure(cause);
      isOver = isSignedOut(failure);
      if (!isOver) {
        doubt.value = { conversationId: id, action, failure };
        announcer.say(texts.action[action], true);
      }
    } finally {
      const { [id]: _, ...others } = busy.value;
      busy.value = others;
    }
    // What came meanwhile by the line may be newer than the answer, and what was not confirmed may have happened.
    if (!isOver) await refresh();
  }

  /** Whether the open conversation is this person's to answer. */
  const isMine = computed(() => {
    const opened = board.value.opened;
    return opened?.state === "taken" && opened.takenBy?.id === me.value?.id;
  });

  function forget(): void {
    batch(() => {
      me.value = undefined;
      drafts.value = {};
      openedId.value = undefined;
      view.value = "queue";
      outbox.clear();
    });
  }

  return {
    me,
    board,
    queueReading,
    openedId,
    openedReading,
    connection,
    view,
    columns: deps.columns ?? signal<Columns>(3),
    drafts,
    busy,
    doubt,
    now,
    said: announcer.said,
    replies: outbox.replies,
    groups: computed(() => groupQueue(board.value.queue, me.value?.id ?? "")),
    waiting: computed(() => countWaiting(board.value.queue)),
    isMine,

    /** Starts the desk of `user`. Drafts and replies of the same person are still there; another person's are gone. */
    begin(user: DeskUser): void {
      batch(() => {
        if (me.value && me.value.id !== user.id) forget();
        me.value = user;
        board.value = EMPTY_BOARD;
        queueReading.value = "reading";
        openedReading.value = "reading";
        news.forget();
      });
      tick();
      stream.start();
    },
    /** Stops the line and clears what the service told, but keeps what this person wrote. */
    suspend(): void {
      stream.stop();
      cancelTick?.();
      batch(() => {
        board.value = EMPTY_BOARD;
        busy.value = {};
        doubt.value = undefined;
      });
    },
    /** Clears everything of this person. */
    forget,
    wake: () => stream.wake(),
    refresh,
    /** The person looks at this page again. */
    look: noteSeen,

    open(id: string): void {
      batch(() => {
        view.value = "conversation";
        if (openedId.value === id && openedReading.value === "ready") return;
        openedId.value = id;
        openedReading.value = "reading";
        doubt.value = undefined;
        board.value = { ...board.value, opened: undefined };
        void readOpened();
      });
    },
    readAgain(): void {
      openedReading.value = "reading";
      void readOpened();
    },
    show(next: View): void {
      view.value = next;
    },

    take: () =>
      act("take", async (id) => {
        await client.take(id);
        const user = me.value;
        if (user) commit(applyAction(board.value, id, "taken", { id: user.id, name: user.name }));
        announcer.say(texts.said.taken);
      }),
    giveBack: () =>
      act("giveBack", async (id) => {
        await client.giveBack(id);
        commit(applyAction(board.value, id, "agent"));
        announcer.say(texts.said.givenBack);
      }),
    resolve: () =>
      act("resolve", async (id) => {
        await client.resolve(id);
        commit(applyAction(board.value, id, "ended", board.value.opened?.takenBy));
        announcer.say(texts.said.resolved);
      }),

    setDraft(text: string): void {
      const id = openedId.value;
      if (id === undefined) return;
      drafts.value = { ...drafts.value, [id]: text };
      if (isMine.value && connection.value === "live") tellTyping(id, text);
    },
    /** Sends the draft of the open conversation; false when there is nothing that could be sent. */
    reply(): boolean {
      const id = openedId.value;
      if (id === undefined) return false;
      const body = MessageBody.safeParse(drafts.value[id] ?? "");
      if (!body.success) return false;
      const { [id]: _, ...others } = drafts.value;
      drafts.value = others;
      tellTyping(id, "");
      void outbox.send(id, body.data);
      return true;
    },
    retry: (clientMessageId: string) => outbox.retry(clientMessageId),
    remove: (clientMessageId: string) => outbox.remove(clientMessageId),
  };
}
