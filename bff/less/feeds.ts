import * as z from "zod/mini";
import type { SentMessage } from "../../shared/api/conversation.ts";
import { type FeedEvent, LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { logLifeOf } from "../sessions/lifetimes.ts";
import { createRecords } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { isVerified, type Verified } from "../upstream/verified.ts";

/** Characters of logs in memory. */
const CACHED_CHARACTERS = 4_000_000;

/** One conversation's log, under the customer in whose name the service has the conversation. */
export interface LogName {
  readonly externalId: string;
  readonly conversationId: string;
}

/** An entry before the log gave it its place; the message's place is the entry's. */
export type Draft =
  | { readonly type: "message.created"; readonly message: Omit<Message, "seq" | "at"> }
  | Unplaced<Exclude<LoggedEvent, { type: "message.created" }>>;
type Unplaced<E> = E extends LoggedEvent ? Omit<E, "seq" | "at"> : never;

/**
 * The logs of services that send no events: what was verified, numbered and durable as a service's log would be, so that
 * resume, a second tab and the stream need nothing else. Every function that touches the store may throw Failure
 * unavailable or storage_full.
 */
export interface Feeds {
  /** Adds entries and sends them to every follower. `proof` is the verified answer that they follow from. */
  append(log: LogName, proof: Verified<unknown>, drafts: readonly Draft[]): Promise<readonly LoggedEvent[]>;
  read(log: LogName, after: number): Promise<readonly LoggedEvent[]>;
  lastSeq(log: LogName): Promise<number>;
  /** The customer's message with this key, where it was verified before. */
  find(log: LogName, clientMessageId: string): Promise<SentMessage | undefined>;
  /** Sends an event to every follower and stores nothing. */
  signal(log: LogName, event: LiveEvent): void;
  /**
   * Follows every event from now on; `joined` is the answer that is being written, `stop` ends it. `onGap` runs when events
   * may have been missed: then the log must be read again.
   */
  follow(
    log: LogName,
    listen: (event: FeedEvent) => void,
    onGap?: () => void,
  ): { joined: LiveEvent | undefined; stop: () => void };
}

/** What is in memory of one log while somebody follows it or an answer is being written. */
interface Present {
  readonly followers: Set<Follower>;
  writing: Writing | undefined;
  /** Whether this process writes the answer. The end of another process's answer might never be signalled. */
  isWriter: boolean;
}

/** An answer that is being written. */
interface Writing {
  readonly messageId: string;
  readonly text: string;
}

interface Follower {
  readonly listen: (event: FeedEvent) => void;
  readonly onGap: (() => void) | undefined;
}

const Log = z.array(LoggedEvent);
const Signalled = z.object({ log: z.string(), events: z.array(z.union([LoggedEvent, LiveEvent])) });

export function createFeeds({ store, clock }: { readonly store: Store; readonly clock: Clock }): Feeds {
  const records = createRecords<readonly LoggedEvent[]>({
    store,
    clock,
    prefix: "log:",
    parse: (value) => Log.safeParse(value).data,
    lifeOf: (name) => logLifeOf(ownerOfLog(name) ?? ""),
    cachedCharacters: CACHED_CHARACTERS,
  });
  const present = new Map<string, Present>();

  function use(name: string, work: (here: Present) => void): void {
    const here = present.get(name) ?? { followers: new Set(), writing: undefined, isWriter: false };
    work(here);
    if (here.followers.size > 0 || (here.writing && here.isWriter)) present.set(name, here);
    else present.delete(name);
  }
  const hear = (name: string, event: FeedEvent, isWriter = false) =>
    use(name, (here) => {
      here.isWriter ||= isWriter;
      here.writing = writingAfter(here.writing, event);
      for (const { listen } of here.followers) listen(event);
    });
  store.subscribe("feed", (text) => {
    const signalled = Signalled.safeParse(parseJson(text)).data;
    if (!signalled || !present.has(signalled.log)) return;
    for (const event of signalled.events) hear(signalled.log, event);
  });
  store.onGap(() => {
    for (const { followers } of present.values()) for (const { onGap } of followers) onGap?.();
  });
  const signalOf = (name: string, events: readonly FeedEvent[]) => ({
    topic: "feed" as const,
    text: JSON.stringify({ log: name, events }),
  });
  const readAll = async (log: LogName) => (await records.find(nameOf(log)))?.value ?? [];

  return {
    async append(log, proof, drafts) {
      if (!isVerified(proof)) throw new TypeError("an entry that was not verified");
      const name = nameOf(log);
      const at = new Date(clock.now()).toISOString();
      const added = (all: readonly LoggedEvent[]) => all.slice(all.length - drafts.length);
      const after = await records.change(
        name,
        (all = []) => [...all, ...drafts.map((draft, index) => place(draft, all.length + index + 1, at))],
        (all) => signalOf(name, added(all)),
      );
      return added(after ?? []);
    },
    read: async (log, after) => (await readAll(log)).slice(after),
    lastSeq: async (log) => (await readAll(log)).length,
    async find(log, clientMessageId) {
      for (const event of await readAll(log)) {
        if (event.type !== "message.created" || event.message.clientMessageId !== clientMessageId) continue;
        if (event.message.role === "customer") return { ...event.message, role: "customer", clientMessageId };
      }
      return undefined;
    },
    signal(log, event) {
      const name = nameOf(log);
      if (!store.isShared) return hear(name, event, true);
      // The whole text so far: a follower of another process that joined late or missed a piece has it with the next one.
      use(name, (here) => {
        here.isWriter = true;
        here.writing = writingAfter(here.writing, event);
        const { writing } = here;
        const isPiece = event.type === "response.delta" && writing;
        store.publish(signalOf(name, [isPiece ? { type: "response.snapshot", ...writing } : event]));
      });
    },
    follow(log, listen, onGap) {
      const name = nameOf(log);
      const follower = { listen, onGap };
      let joined: LiveEvent | undefined;
      use(name, (here) => {
        here.followers.add(follower);
        joined = here.writing && { type: "response.snapshot", ...here.writing };
      });
      return { joined, stop: () => use(name, (here) => void here.followers.delete(follower)) };
    },
  };
}

function writingAfter(writing: Writing | undefined, event: FeedEvent): Writing | undefined {
  switch (event.type) {
    case "response.snapshot":
      return { messageId: event.messageId, text: event.text };
    case "response.delta": {
      const before = writing?.messageId === event.messageId ? writing.text : "";
      return { messageId: event.messageId, text: before + event.delta };
    }
    case "message.created":
      return event.message.id === writing?.messageId ? undefined : writing;
    default:
      return writing;
  }
}

function place(draft: Draft, seq: number, at: string): LoggedEvent {
  if (draft.type !== "message.created") return { ...draft, seq, at } as LoggedEvent;
  return { type: draft.type, seq, at, message: { ...draft.message, seq, at } };
}

function nameOf({ externalId, conversationId }: LogName): string {
  return JSON.stringify([externalId, conversationId]);
}

/** The customer of a log's name, as it stands in the store's key; undefined for another form. */
export function ownerOfLog(name: string): string | undefined {
  const owner: unknown = [parseJson(name)].flat()[0];
  return typeof owner === "string" ? owner : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
