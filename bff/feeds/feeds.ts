import { LRUCache } from "lru-cache";
import type { SentMessage } from "../../shared/api/conversation.ts";
import type { FeedEvent, LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Peers } from "../peers.ts";
import { createLocks } from "../sessions/locks.ts";
import { isVerified, type Verified } from "../upstream/verified.ts";
import type { FeedStore, LogName } from "./feed-store.ts";
import { formatFeedWord, parseFeedWord } from "./feed-word.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Answers that this process writes at once; of one beyond them the pieces are told without what was before. */
const MAX_WRITTEN = 10_000;

/** A log outlives by a day the session or the pointer that leads to it. */
export const KEPT_MS = { anonymous: 8 * DAY_MS, identified: 91 * DAY_MS } as const;

/** An entry before the log gave it its place; the message's place is the entry's. */
export type Draft =
  | { readonly type: "message.created"; readonly message: Omit<Message, "seq" | "at"> }
  | Unplaced<Exclude<LoggedEvent, { type: "message.created" }>>;
type Unplaced<E> = E extends LoggedEvent ? Omit<E, "seq" | "at"> : never;

/**
 * The logs of services that send no events: the BFF's own record of what was verified, numbered and durable as a
 * service's log would be, so that resume, a second tab and the stream need nothing else.
 */
export interface Feeds {
  /**
   * Adds entries behind the last, and tells whoever follows. `proof` is the verified answer that they follow from: there
   * is no other way into a log.
   * @throws Failure unavailable, storage_full
   */
  append(log: LogName, proof: Verified<unknown>, drafts: readonly Draft[]): Promise<readonly LoggedEvent[]>;
  read(log: LogName, after: number): Promise<readonly LoggedEvent[]>;
  lastSeq(log: LogName): Promise<number>;
  /** The customer's message with this key, where it was verified before. */
  find(log: LogName, clientMessageId: string): Promise<SentMessage | undefined>;
  /** Tells whoever follows, and keeps nothing but the text of the answer that is being written. */
  signal(log: LogName, event: LiveEvent): void;
  /**
   * Hears of every event from now on; `joined` is the answer that is being written. Gives what ends it. `onGap` runs when
   * events may have passed unheard: then what follows is to be read anew.
   */
  follow(
    log: LogName,
    listen: (event: FeedEvent) => void,
    onGap?: () => void,
  ): { joined: LiveEvent | undefined; stop: () => void };
  /** Stops the timer and closes the store. */
  close(): Promise<void>;
}

/** What is in memory of one log: it is there while somebody follows it, or an answer is being written. */
interface Present {
  readonly listeners: Set<Listener>;
  writing: Writing | undefined;
}

/** An answer that is being written. */
interface Writing {
  readonly messageId: string;
  readonly text: string;
}

interface Listener {
  readonly listen: (event: FeedEvent) => void;
  readonly onGap: (() => void) | undefined;
}

export function createFeeds(deps: {
  readonly store: FeedStore;
  readonly clock: Clock;
  readonly onUpkeepFailure: (error: unknown) => void;
  /** Other processes that follow and write the same logs. */
  readonly peers?: Peers | undefined;
}): Feeds {
  const { store, clock, onUpkeepFailure, peers } = deps;
  const present = new Map<string, Present>();
  const locks = createLocks();
  const purge = () =>
    store.purge({
      anonymous: clock.now() - KEPT_MS.anonymous,
      identified: clock.now() - KEPT_MS.identified,
    });
  const stopPurging = clock.every(HOUR_MS, () => void purge().catch(onUpkeepFailure));

  const use = (log: LogName, work: (here: Present) => void) => {
    const key = keyOf(log);
    const here = present.get(key) ?? { listeners: new Set(), writing: undefined };
    work(here);
    // An answer that another process writes is nothing to keep for nobody: its end may never be heard.
    if (here.listeners.size > 0 || (here.writing && !peers)) present.set(key, here);
    else present.delete(key);
  };
  const tell = (here: Present, event: FeedEvent) => {
    for (const { listen } of here.listeners) listen(event);
  };
  const hearLogged = (log: LogName, events: readonly LoggedEvent[]) =>
    use(log, (here) => {
      for (const event of events) {
        if (event.type === "message.created" && event.message.id === here.writing?.messageId)
          here.writing = undefined;
        tell(here, event);
      }
    });
  const hearLive = (log: LogName, event: LiveEvent) =>
    use(log, (here) => {
      here.writing = writingAfter(here.writing, event);
      tell(here, event);
    });
  /** With peers everybody, this process too, hears by the store's channel alone: in one order. */
  const texts = new LRUCache<string, Writing>({ max: MAX_WRITTEN });
  peers?.hear("feed", (text) => {
    const word = parseFeedWord(text);
    if (!word || !present.has(keyOf(word.log))) return;
    for (const event of word.events) {
      if ("seq" in event) hearLogged(word.log, [event]);
      else hearLive(word.log, event);
    }
  });
  peers?.onGap(() => {
    for (const { listeners } of present.values()) for (const { onGap } of listeners) onGap?.();
  });
  /** Tells the whole text so far: whoever joined late, or missed a piece, has it all with the next one. */
  function tellPeers(log: LogName, event: LiveEvent, by: Peers): void {
    const writing = writingAfter(texts.get(keyOf(log)), event);
    if (writing) texts.set(keyOf(log), writing);
    const isPiece = event.type === "response.delta" && writing;
    by.tell("feed", formatFeedWord(log, [isPiece ? { type: "response.snapshot", ...writing } : event]));
  }

  return {
    append(log, proof, drafts) {
      if (!isVerified(proof)) throw new TypeError("an entry that was not verified");
      return locks.run(keyOf(log), async () => {
        const at = new Date(clock.now()).toISOString();
        const events = await store.append(log, (first) =>
          drafts.map((draft, index) => place(draft, first + index, at)),
        );
        if (!peers) hearLogged(log, events);
        return events;
      });
    },
    read: (log, after) => store.read(log, after),
    lastSeq: (log) => store.lastSeq(log),
    async find(log, clientMessageId) {
      const event = await store.find(log, clientMessageId);
      if (event?.type !== "message.created" || event.message.role !== "customer") return undefined;
      return { ...event.message, role: "customer", clientMessageId };
    },
    signal: (log, event) => (peers ? tellPeers(log, event, peers) : hearLive(log, event)),
    follow(log, listen, onGap) {
      const listener = { listen, onGap };
      let joined: LiveEvent | undefined;
      use(log, (here) => {
        here.listeners.add(listener);
        joined = here.writing && { type: "response.snapshot", ...here.writing };
      });
      return { joined, stop: () => use(log, (here) => void here.listeners.delete(listener)) };
    },
    async close() {
      stopPurging();
      await store.close();
    },
  };
}

function writingAfter(writing: Writing | undefined, event: LiveEvent): Writing | undefined {
  if (event.type === "response.snapshot") return { messageId: event.messageId, text: event.text };
  if (event.type !== "response.delta") return writing;
  const before = writing?.messageId === event.messageId ? writing.text : "";
  return { messageId: event.messageId, text: before + event.delta };
}

function place(draft: Draft, seq: number, at: string): LoggedEvent {
  if (draft.type !== "message.created") return { ...draft, seq, at } as LoggedEvent;
  return { type: draft.type, seq, at, message: { ...draft.message, seq, at } };
}

function keyOf({ externalId, conversationId }: LogName): string {
  return JSON.stringify([externalId, conversationId]);
}
