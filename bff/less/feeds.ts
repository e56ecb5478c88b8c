import * as z from "zod/mini";
import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { type FeedEvent, LiveEvent, LoggedEvent } from "../../shared/event.ts";
import { isAnonymousId } from "../../shared/id.ts";
import { jsonOf } from "../../shared/json.ts";
import type { Message } from "../../shared/message.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { logLifeOf } from "../sessions/lifetimes.ts";
import { createRecords } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { isVerified, type Verified } from "../upstream/verified.ts";
import { factsOf } from "./feed-snapshot.ts";

const CACHED_CHARACTERS = 4_000_000;

/** Each new entry rewrites the whole log, so a limit of its length bounds that work. With a person it is higher. */
const MAX_LOG_CHARACTERS = 256 * 1024;
const MAX_WITH_A_PERSON = 1.5 * MAX_LOG_CHARACTERS;

/** Names one conversation's log in the store: by the customer who owns it at the service, and by its id there. */
export type LogName = string;

/** An entry before the log assigned its position; the message's position is the entry's. */
export type Draft =
  | { readonly type: "message.created"; readonly message: Omit<Message, "seq" | "at"> }
  | Unplaced<Exclude<LoggedEvent, { type: "message.created" }>>;
type Unplaced<E> = E extends LoggedEvent ? Omit<E, "seq" | "at"> : never;

export type Feeds = ReturnType<typeof createFeeds>;

/** An answer that is being written, as the event that gives a late follower its text so far. */
type Writing = Extract<LiveEvent, { type: "response.snapshot" }>;

/** The part of a log that is in memory while somebody follows it or an answer is being written. */
interface Present {
  readonly followers: Set<{ readonly listen: (event: FeedEvent) => void; readonly onGap: () => void }>;
  writing: Writing | undefined;
  /** Whether this process writes the answer. The end of another process's answer might never be signalled. */
  isWriter: boolean;
}

const Signalled = z.object({ log: z.string(), events: z.array(z.union([LoggedEvent, LiveEvent])) });

/**
 * The logs of services that send no events: what was verified, numbered and durable like a service's own log, so that
 * resume, a second tab and the stream work unchanged. Every function that accesses the store may throw Failure
 * unavailable or storage_full.
 */
export function createFeeds({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const records = createRecords<readonly LoggedEvent[]>({
    store,
    clock,
    prefix: "log:",
    schema: z.array(LoggedEvent),
    lifeOf: (name) => logLifeOf(ownerOfLog(name) ?? ""),
    cachedCharacters: CACHED_CHARACTERS,
    // Reading prolongs its life, like its pointer's. An anonymous visitor's log outlives their sessions anyway.
    livesByReading: (name) => !isAnonymousId(ownerOfLog(name) ?? ""),
  });
  const present = new Map<string, Present>();

  function use(name: LogName, work: (here: Present) => void): void {
    const here = present.get(name) ?? { followers: new Set(), writing: undefined, isWriter: false };
    work(here);
    if (here.followers.size > 0 || (here.writing && here.isWriter)) present.set(name, here);
    else present.delete(name);
  }
  const hear = (name: LogName, event: FeedEvent, isWriter = false) =>
    use(name, (here) => {
      here.isWriter ||= isWriter;
      here.writing = writingAfter(here.writing, event);
      for (const { listen } of here.followers) listen(event);
    });
  store.subscribe("feed", (text) => {
    const signalled = Signalled.safeParse(jsonOf(text)).data;
    if (!signalled || !present.has(signalled.log)) return;
    for (const event of signalled.events) hear(signalled.log, event);
  });
  store.onGap(() => {
    for (const { followers } of present.values()) for (const { onGap } of followers) onGap();
  });
  const signalOf = (name: LogName, events: readonly FeedEvent[]) => ({
    topic: "feed" as const,
    text: JSON.stringify({ log: name, events }),
  });
  const read = async (name: LogName) => (await records.find(name))?.value ?? [];

  return {
    /**
     * Adds entries and sends them to every follower. `proof` is the verified answer that they are based on; `known` is
     * the length that the log had before: a log only grows, so a shorter one was erased meanwhile and is not begun again.
     * @throws Failure not_confirmed for an erased log
     */
    async append(
      name: LogName,
      proof: Verified<unknown>,
      drafts: readonly Draft[],
      known = 0,
    ): Promise<readonly LoggedEvent[]> {
      if (!isVerified(proof)) throw new TypeError("an entry that was not verified");
      const at = new Date(clock.now()).toISOString();
      const added = (all: readonly LoggedEvent[]) => all.slice(all.length - drafts.length);
      const after = await records.change(
        name,
        (all = []) => {
          if (all.length < known) throw new Failure("not_confirmed", { cause: "the log was erased" });
          return [...all, ...drafts.map((draft, index) => place(draft, all.length + index + 1, at))];
        },
        (all) => signalOf(name, added(all)),
      );
      return added(after ?? []);
    },
    read,
    /**
     * Whether the log accepts no more messages of the customer; answers, hand-offs and the end still fit. `room` multiplies
     * the limit.
     */
    async isFull(name: LogName, room = 1): Promise<boolean> {
      const stored = await records.find(name);
      if (!stored || stored.text.length < MAX_LOG_CHARACTERS * room) return false;
      const status = factsOf(stored.value).handoff?.status;
      const hasPerson = status === "requested" || status === "accepted";
      return !hasPerson || stored.text.length >= MAX_WITH_A_PERSON * room;
    },
    /** The customer's message with this key, if the log has it. */
    async find(name: LogName, clientMessageId: string): Promise<SentMessage | undefined> {
      for (const event of await read(name)) {
        if (event.type !== "message.created" || event.message.clientMessageId !== clientMessageId) continue;
        if (event.message.role === "customer") return { ...event.message, role: "customer", clientMessageId };
      }
      return undefined;
    },
    /** Sends an event to every follower and stores nothing. */
    signal(name: LogName, event: LiveEvent): void {
      if (!store.isShared) {
        hear(name, event, true);
        return;
      }
      // The whole text so far, so that a follower in another process that joined late or missed a piece catches up.
      use(name, (here) => {
        here.isWriter = true;
        here.writing = writingAfter(here.writing, event);
        store.publish(signalOf(name, [(event.type === "response.delta" && here.writing) || event]));
      });
    },
    /** The answer is no longer being written: later followers don't get the text that was shown and not stored. */
    endWriting: (name: LogName): void =>
      use(name, (here) => {
        here.writing = undefined;
        here.isWriter = false;
      }),
    /**
     * Subscribes to all events from now on; `joined` is the answer in progress, `stop` unsubscribes. `onGap` runs when
     * events may have been missed: then the log must be read again.
     */
    follow(name: LogName, listen: (event: FeedEvent) => void, onGap: () => void) {
      const follower = { listen, onGap };
      let joined: Writing | undefined;
      use(name, (here) => {
        here.followers.add(follower);
        joined = here.writing;
      });
      return { joined, stop: () => use(name, (here) => void here.followers.delete(follower)) };
    },
  };
}

function writingAfter(writing: Writing | undefined, event: FeedEvent): Writing | undefined {
  switch (event.type) {
    case "response.snapshot":
      return event;
    case "response.delta": {
      const before = writing?.messageId === event.messageId ? writing.text : "";
      return { type: "response.snapshot", messageId: event.messageId, text: before + event.delta };
    }
    case "message.created":
      return event.message.id === writing?.messageId ? undefined : writing;
    default:
      return writing;
  }
}

export function messageOf({ clientMessageId, body }: Outgoing) {
  return { id: clientMessageId, role: "customer" as const, body, clientMessageId };
}

function place(draft: Draft, seq: number, at: string): LoggedEvent {
  if (draft.type !== "message.created") return { ...draft, seq, at } as LoggedEvent;
  return { type: draft.type, seq, at, message: { ...draft.message, seq, at } };
}

export function nameOf(externalId: string, conversationId: string): LogName {
  return JSON.stringify([externalId, conversationId]);
}

/** The customer of a log; undefined for another form. */
export function ownerOfLog(name: LogName): string | undefined {
  const owner: unknown = [jsonOf(name)].flat()[0];
  return typeof owner === "string" ? owner : undefined;
}
