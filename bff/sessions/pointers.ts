import { LRUCache } from "lru-cache";
import { Failure } from "../../shared/errors.ts";
import type { Peers } from "../peers.ts";
import { createLocks } from "./locks.ts";
import type { ConversationPointer, SessionStore } from "./session-store.ts";

const MAX_CACHED = 50_000;

/** How often a change is made anew because another process was quicker. */
const MAX_TRIES = 8;

/** A customer without a conversation. */
export const NO_POINTER: ConversationPointer = {
  conversationId: undefined,
  status: "ended",
  epoch: undefined,
  started: 0,
  handoffs: 0,
};

/** Some of a pointer, or how it follows from what the pointer is at that very moment. */
export type PointerChange =
  | Partial<ConversationPointer>
  | ((now: ConversationPointer) => Partial<ConversationPointer>);

/** Which conversation each customer is in, read once and written through; with peers, read each time. */
export interface Pointers {
  read(externalId: string): ConversationPointer | Promise<ConversationPointer>;
  /** Changes some of a pointer; nothing is written where nothing differs. */
  change(externalId: string, change: PointerChange): Promise<ConversationPointer>;
  /** Takes over what was written together with a session. */
  note(externalId: string, pointer: ConversationPointer): void;
}

export function createPointers(store: SessionStore, peers?: Peers): Pointers {
  const cache = new LRUCache<string, ConversationPointer>({ max: MAX_CACHED });
  const writes = createLocks();
  const keep = (externalId: string, pointer: ConversationPointer) => {
    if (!peers) cache.set(externalId, pointer);
  };

  async function load(externalId: string): Promise<ConversationPointer> {
    const pointer = (await store.findPointer(externalId)) ?? NO_POINTER;
    keep(externalId, pointer);
    return pointer;
  }
  // A hit is given without a promise: every message passes here.
  const read = (externalId: string) => cache.get(externalId) ?? load(externalId);

  async function tryChange(externalId: string, change: PointerChange) {
    const before = await read(externalId);
    const after = { ...before, ...(typeof change === "function" ? change(before) : change) };
    if (sameFields(before, after)) return before;
    const known = before === NO_POINTER ? [] : [before];
    if (await store.savePointer(externalId, after, ...known)) {
      keep(externalId, after);
      return after;
    }
    cache.delete(externalId);
    return undefined;
  }

  return {
    read,
    change: (externalId, change) =>
      writes.run(externalId, async () => {
        for (let tries = 0; tries < MAX_TRIES; tries += 1) {
          const after = await tryChange(externalId, change);
          if (after) return after;
        }
        throw new Failure("unavailable", { cause: new Error("a pointer changes all the time") });
      }),
    note: keep,
  };
}

function sameFields(a: ConversationPointer, b: ConversationPointer): boolean {
  return (
    a.conversationId === b.conversationId &&
    a.status === b.status &&
    a.epoch === b.epoch &&
    a.started === b.started &&
    a.handoffs === b.handoffs &&
    a.owner === b.owner &&
    a.aside === b.aside &&
    a.route === b.route &&
    a.startedFor === b.startedFor
  );
}
