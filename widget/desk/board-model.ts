import { computed, createModel, type ReadonlySignal, signal } from "@preact/signals";
import type { DeskEvent, DeskUser } from "../../shared/desk.ts";
import type { Failure } from "../../shared/errors.ts";
import { createAnnouncer } from "../client/announcer.ts";
import type { BrowserStorage } from "../client/browser-storage.ts";
import { AgentDraftsModel } from "./agent-drafts-model.ts";
import { applyDeskEvent, changedWithoutSeq, needsRead } from "./apply-desk-event.ts";
import { dropLive } from "./apply-live-event.ts";
import { EMPTY_BOARD } from "./board.ts";
import { createBoardStore } from "./board-store.ts";
import type { Columns } from "./columns.ts";
import { gotNoAnswer } from "./desk-calls.ts";
import type { DeskClient } from "./desk-client.ts";
import { createNews, type News } from "./desk-news.ts";
import { type Connection, createDeskStream } from "./desk-stream.ts";
import { EarlierModel } from "./earlier-model.ts";
import { EmojiModel } from "./emoji-model.ts";
import { FilesModel } from "./files-model.ts";
import { FormsModel } from "./forms-model.ts";
import { createGone } from "./gone-conversations.ts";
import { LogModel } from "./log-model.ts";
import { OpenedModel } from "./opened-model.ts";
import { QueueModel } from "./queue-model.ts";
import { RepliesModel } from "./replies-model.ts";
import { texts } from "./texts.ts";
import { createUnsent } from "./unsent.ts";

/** Which region a small screen shows. */
export type View = "queue" | "conversation" | "customer";

export interface BoardModelDeps {
  readonly client: DeskClient;
  readonly setTimer: (run: () => void, ms: number) => () => void;
  readonly random: () => number;
  readonly newId: () => string;
  /** Addresses of pictures in this page's memory. */
  readonly addresses: Pick<typeof URL, "createObjectURL" | "revokeObjectURL">;
  /** Milliseconds since 1970, as the service's clock has it; for durations only. */
  readonly now: () => number;
  /** Whether the person is looking at this page now. Otherwise nothing counts as seen. */
  readonly isPresent: () => boolean;
  readonly columns: ReadonlySignal<Columns>;
  /** Holds the person's unsent texts across a reload. */
  readonly tabStorage: BrowserStorage | undefined;
  /** The news for this person, from the service. */
  readonly onNews: (news: readonly News[]) => void;
  readonly onSignedOut: () => void;
  /** Called with whatever a call of the service threw. */
  readonly noteFailure: (cause: unknown) => Failure;
}

/** How often "waiting 4 min" is updated. */
const TICK_MS = 10_000;
/** How long a text stays in a live region. */
const SAID_MS = 7000;

export type BoardModel = InstanceType<typeof BoardModel>;

/** The desk of a signed-in person: queue, open conversation, replies, actions. It does not touch the DOM. */
export const BoardModel = createModel((deps: BoardModelDeps) => {
  const { client, setTimer } = deps;
  const me = signal<DeskUser | undefined>(undefined);
  const connection = signal<Connection>("connecting");
  const view = signal<View>("queue");
  const now = signal(deps.now());
  const firstEpoch = signal<string | undefined>(undefined);
  const store = createBoardStore();
  const announcer = createAnnouncer(setTimer, SAID_MS);
  const news = createNews({ say: (text) => announcer.say(text), alert: deps.onNews, setTimer });
  let cancelTick = (): void => undefined;
  /** A reading failed, so the desk may lack what the service has. */
  let isBehind = false;
  let isStreamLive = false;

  const noteFailure = (cause: unknown): Failure => {
    const failure = deps.noteFailure(cause);
    // Shown, and not announced: beside a live stream it may begin and end every few seconds.
    if (gotNoAnswer(failure) && connection.peek() === "live") connection.value = "waiting";
    return failure;
  };
  /** The failure of a reading: the next tick reads again, unless the service would refuse it again. */
  const noteUnread = (cause: unknown): Failure => {
    const failure = noteFailure(cause);
    isBehind ||= failure.status >= 500 || failure.code === "rate_limited";
    return failure;
  };
  const refresh = async (): Promise<void> => {
    isBehind = false;
    await Promise.all([queue.readQueue(), opened.readOpened()]);
  };

  const queue = new QueueModel({
    client,
    store,
    me,
    firstEpoch,
    noteFailure,
    noteUnread,
    onOlder: (rows) => news.learn(rows, me.peek()?.id ?? ""),
    onReplaced() {
      store.replace(EMPTY_BOARD);
      news.forget();
      opened.readAgain();
      gone.noteReplaced();
    },
  });
  store.subscribe(({ before, next }) => {
    if (next.queue !== before.queue) {
      news.hearQueue(next.queue, queue.queueReading.peek() === "ready", me.peek()?.id ?? "");
    }
    if (next.opened && before.opened?.id === next.opened.id)
      news.hearConversation(before.opened, next.opened, me.peek()?.id ?? "");
  });
  const opened = new OpenedModel({
    client,
    store,
    announcer,
    me,
    setTimer,
    isPresent: deps.isPresent,
    noteFailure,
    noteUnread,
    onGone: (id) => gone.dropGone(id),
    refresh,
  });
  const files = new FilesModel({
    client,
    newId: deps.newId,
    addresses: deps.addresses,
    announcer,
    openedId: opened.openedId,
    noteFailure,
  });
  const agentDrafts = new AgentDraftsModel({
    client,
    announcer,
    openedId: opened.openedId,
    isMine: opened.isMine,
    noteFailure,
    readBox: (id) => replies.drafts.peek()[id] ?? "",
    fillBox: (id, text) => replies.fillDraft(id, text),
  });
  const replies: RepliesModel = new RepliesModel({
    tabStorage: deps.tabStorage,
    owner: computed(() => me.value?.id),
    firstEpoch,
    agentDrafts,
    files,
    client,
    setTimer,
    newId: deps.newId,
    store,
    announcer,
    openedId: opened.openedId,
    mayShowTyping: () => opened.isMine.peek() && connection.peek() === "live",
    noteFailure,
  });
  const emoji = new EmojiModel({ client, noteFailure });
  const forms = new FormsModel();
  const unsent = createUnsent({ replies, files, forms });
  const gone = createGone({
    client,
    store,
    me,
    queue,
    opened,
    replies,
    unsent,
    noteFailure,
    onSignedOut: () => deps.onSignedOut(),
  });
  const { erased } = gone;
  const earlier = new EarlierModel({ client, store, cameFrom: opened.cameFrom, erased, noteFailure });
  const log = new LogModel({ store, replies: replies.replies, senderName: () => me.value?.name });

  const stream = createDeskStream({
    connect: (signal) => client.events(signal),
    setTimer,
    random: deps.random,
    now: deps.now,
    onEvent(event: DeskEvent) {
      const isMissing = needsRead(store.state.peek(), event);
      const unordered = changedWithoutSeq(store.state.peek(), event);
      if (event.type === "queue.changed") queue.noteChanged(event.conversation.id);
      else if (event.type === "conversation.event" && event.event.type === "message.created")
        replies.settle([event.event.message]);
      if (event.type === "conversation.event" && event.event.type === "conversation.erased")
        gone.dropErased(event.conversationId);
      else store.commit(applyDeskEvent(store.state.peek(), event));
      opened.overtake(unordered);
      if (isMissing) opened.readNext();
    },
    onConnection(next) {
      const wasLive = isStreamLive;
      isStreamLive = next === "live";
      const before = connection.peek();
      connection.value = next;
      if (next === "live") {
        store.commit(dropLive(store.state.peek()));
        void refresh().then(gone.dropUnsentOfErased);
        if (before === "waiting" && !wasLive) announcer.say(texts.said.live);
      } else if (next === "waiting" && wasLive) {
        store.commit(dropLive(store.state.peek()));
        announcer.say(texts.said.reconnecting);
      } else if (next !== "connecting" && queue.queueReading.peek() !== "ready") {
        // Without a live connection the queue can still be read.
        void refresh();
      }
      if (next === "stopped") announcer.say(texts.connection.stopped, true);
    },
    onHeard() {
      // Only a call cast doubt on the connection: no event was missed, so nothing has to be read again.
      if (connection.peek() === "waiting") connection.value = "live";
    },
    onSignedOut: () => deps.onSignedOut(),
  });

  const tick = (): void => {
    now.value = deps.now();
    opened.look();
    if (isBehind && connection.peek() === "live") void refresh();
    cancelTick = setTimer(tick, TICK_MS);
  };
  const forget = (): void => {
    me.value = undefined;
    view.value = "queue";
    opened.close();
    replies.clear();
    agentDrafts.clearDrafts();
    files.clearFiles();
    forms.clearForms();
    gone.forget();
    firstEpoch.value = undefined;
  };

  return {
    ...queue,
    ...opened,
    ...replies,
    ...agentDrafts,
    ...files,
    ...emoji,
    ...earlier,
    ...forms,
    dropUnsentOf: unsent.drop,
    lostUnsent: gone.lostUnsent,
    /** What is unsent for the open conversation. */
    openedUnsent: computed(() => unsent.textsOf(opened.openedId.value ?? "")),
    me: me as ReadonlySignal<DeskUser | undefined>,
    /** Everything that the desk knows from the service. */
    board: store.state,
    log,
    connection: connection as ReadonlySignal<Connection>,
    view: view as ReadonlySignal<View>,
    columns: deps.columns,
    now: now as ReadonlySignal<number>,
    erased,
    said: announcer.said,

    /** Starts the desk of `user`. Restores drafts and replies of the same person; another person's are cleared. */
    begin(user: DeskUser): void {
      const before = me.peek();
      if (before && before.id !== user.id) forget();
      if (!before) replies.restoreUnsent(user.id);
      me.value = user;
      store.replace(EMPTY_BOARD);
      queue.restart();
      opened.restart();
      news.forget();
      announcer.clear();
      tick();
      stream.start();
    },
    /** Closes the stream and clears what the service sent, but not what this person wrote. */
    suspend(): void {
      stream.stop();
      news.forget();
      cancelTick();
      store.replace(EMPTY_BOARD);
      opened.suspend();
    },
    /** Clears everything of this person. */
    forget,
    wake: stream.wake,
    refresh,
    open(id: string): void {
      view.value = "conversation";
      opened.open(id);
    },
    openEarlier(id: string): void {
      view.value = "conversation";
      opened.openEarlier(id);
    },
    undo(): Promise<void> {
      view.value = "conversation";
      return opened.undo();
    },
    show(next: View): void {
      view.value = next;
    },
  };
});
