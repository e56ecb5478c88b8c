import { createModel, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { AskedAction } from "../../shared/action.ts";
import type { Mark } from "../../shared/conversation.ts";
import type { Message } from "../../shared/message.ts";
import type { Chat } from "./chat.ts";
import { ChatFailure, failureFrom } from "./chat-failure.ts";
import type { RequestState } from "./conversation-requests.ts";
import type { Environment } from "./environment.ts";
import type { Past, PastClient, PastPage } from "./past-client.ts";

export interface Pages<T> {
  readonly items: readonly T[];
  readonly isLoading: boolean;
  /** There is a page to read: the next one, or the failed one again. */
  readonly hasMore: boolean;
  readonly failure?: ChatFailure | undefined;
}

export type PastModel = InstanceType<typeof PastModel>;

interface PastModelDeps {
  readonly client: PastClient;
  readonly chat: Pick<Chat, "session" | "conversation">;
  readonly environment: Pick<Environment, "tabs">;
}

const NOTHING = { items: [], isLoading: true, hasMore: false };
const IDLE: RequestState = { kind: "idle" };
/** With this many conversations or more, the list can be searched. */
const MANY = 8;
/** Pages without a hit that one search reads before the customer decides. */
const EMPTY_PAGES = 20;

/** An entry of a past conversation. */
export type PastEntry = Message | Mark | AskedAction;

/** The customer's own conversations, and the one of them that is read. A change of the customer forgets all of it. */
export const PastModel = createModel(({ client, chat, environment }: PastModelDeps) => {
  const conversations = signal<Pages<Past> | undefined>(undefined);
  const searched = signal("");
  const hasMany = signal(false);
  const chosen = signal<Past | undefined>(undefined);
  const messages = signal<Pages<PastEntry>>(NOTHING);
  const continuing = signal<RequestState>(IDLE);
  const asksToEnd = signal(false);
  /** The start of each list's next page. */
  let next: string | undefined;
  let before: number | undefined;
  /** Changes with each list: an answer to an earlier one changes nothing. */
  let turn = 0;

  const readPage = (): Promise<PastPage> =>
    chat.session.withToken((token) =>
      searched.value ? client.search(token, searched.value, next) : client.list(token, next),
    );
  const loadList = async (): Promise<void> => {
    const mine = turn;
    const { items, hasMore: hadMore } = conversations.value ?? NOTHING;
    conversations.value = { items, isLoading: true, hasMore: hadMore };
    try {
      for (let pages = 1; ; pages += 1) {
        const page = await readPage();
        if (mine !== turn) return;
        next = page.next;
        const hasMore = next !== undefined;
        if (page.conversations.length === 0 && hasMore && pages < EMPTY_PAGES) continue;
        const all = [...items, ...page.conversations];
        if (!searched.value && (hasMore || all.length >= MANY)) hasMany.value = true;
        conversations.value = { items: all, isLoading: false, hasMore };
        return;
      }
    } catch (error) {
      if (mine !== turn) return;
      conversations.value = { items, isLoading: false, hasMore: true, failure: failureFrom(error) };
    }
  };
  const show = (text: string): void => {
    turn += 1;
    next = undefined;
    searched.value = text;
    conversations.value = NOTHING;
    void loadList();
  };
  const loadMessages = async (): Promise<void> => {
    const past = chosen.value;
    if (!past) return;
    const { items, hasMore } = messages.value;
    messages.value = { items, isLoading: true, hasMore };
    const isMine = () => chosen.value === past;
    try {
      const page = await chat.session.withToken((token) => client.read(token, past.reference, before));
      if (!isMine()) return;
      before = page.nextBefore;
      const { messages: said, marks = [], actions = [] } = page;
      const read = [...said, ...marks, ...actions].sort((one, other) => one.seq - other.seq);
      messages.value = { items: [...read, ...items], isLoading: false, hasMore: before !== undefined };
    } catch (error) {
      if (isMine()) messages.value = { items, isLoading: false, hasMore: true, failure: failureFrom(error) };
    }
  };
  const leave = (): void => {
    chosen.value = undefined;
    continuing.value = IDLE;
    asksToEnd.value = false;
  };
  const close = (): void => {
    turn += 1;
    leave();
    conversations.value = next = undefined;
    searched.value = "";
    hasMany.value = false;
    messages.value = NOTHING;
  };
  chat.session.subscribe(({ kind }) => {
    if (kind === "cleared") close();
  });
  // A person who joins later is another question, which nobody pressed a button for.
  effect(() => {
    if (!chat.conversation.isPersonAsked.value) asksToEnd.value = false;
  });

  return {
    conversations: conversations as ReadonlySignal<Pages<Past> | undefined>,
    /** The text that the list was searched for; empty while it shows all. */
    searched: searched as ReadonlySignal<string>,
    hasMany: hasMany as ReadonlySignal<boolean>,
    chosen: chosen as ReadonlySignal<Past | undefined>,
    messages: messages as ReadonlySignal<Pages<PastEntry>>,
    /** The state of continuing the chosen conversation. */
    continuing: continuing as ReadonlySignal<RequestState>,
    /** The customer has to say first whether the current conversation, with its person, may end. */
    asksToEnd: asksToEnd as ReadonlySignal<boolean>,
    keepCurrent(): void {
      asksToEnd.value = false;
    },
    open(): void {
      close();
      show("");
    },
    close,
    /** Shows the conversations that contain all words of a text; all of them without one. */
    search(text: string): void {
      if (text.trim() !== searched.value) show(text.trim());
    },
    /** Reads the next page of the list, or the failed one again. */
    loadList: () => void loadList(),
    choose(past: Past): void {
      leave();
      chosen.value = past;
      messages.value = NOTHING;
      before = undefined;
      void loadMessages();
    },
    leave,
    /** Reads the page above, or the failed one again. */
    loadMessages: () => void loadMessages(),
    /**
     * Makes the chosen one the conversation of the panel. Asks first if a person is lost by that, unless the customer
     * `mayEnd` the current one. Resolves with whether the service then showed the chosen one.
     */
    async continueChosen(mayEnd = false): Promise<boolean> {
      const past = chosen.value;
      if (!past || continuing.value.kind === "asking") return false;
      asksToEnd.value = !mayEnd && chat.conversation.isPersonAsked.value;
      if (asksToEnd.value) return false;
      continuing.value = { kind: "asking" };
      try {
        const id = await chat.session.withToken((token) => client.continue(token, past.reference));
        await chat.session.refresh();
        if (chat.conversation.current.value?.id !== id) throw new ChatFailure("not_confirmed");
        environment.tabs.post("started");
        close();
        return true;
      } catch (error) {
        if (chosen.value === past) continuing.value = { kind: "failed", failure: failureFrom(error) };
        return false;
      }
    },
  };
});
