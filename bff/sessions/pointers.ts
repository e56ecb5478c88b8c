import { BoundedMap } from "../bounded-map.ts";
import type { ConversationPointer, SessionStore } from "./session-store.ts";

const MAX_CACHED = 50_000;

/** A customer without a conversation. */
export const NO_POINTER: ConversationPointer = {
  conversationId: undefined,
  status: "ended",
  epoch: undefined,
  started: 0,
  handoffs: 0,
};

/** Which conversation each customer is in, read once and written through. */
export interface Pointers {
  read(externalId: string): ConversationPointer | Promise<ConversationPointer>;
  /** Changes some of a pointer; nothing is written where nothing differs. */
  change(externalId: string, change: Partial<ConversationPointer>): Promise<ConversationPointer>;
  /** Takes over what was written together with a session. */
  note(externalId: string, pointer: ConversationPointer): void;
}

export function createPointers(store: SessionStore): Pointers {
  const cache = new BoundedMap<string, ConversationPointer>(MAX_CACHED);

  async function load(externalId: string): Promise<ConversationPointer> {
    const pointer = (await store.findPointer(externalId)) ?? NO_POINTER;
    cache.set(externalId, pointer);
    return pointer;
  }
  // A hit is given without a promise: every message passes here.
  const read = (externalId: string) => cache.get(externalId) ?? load(externalId);

  return {
    read,
    async change(externalId, change) {
      const before = await read(externalId);
      const after = { ...before, ...change };
      if (sameFields(before, after)) return before;
      await store.savePointer(externalId, after);
      cache.set(externalId, after);
      return after;
    },
    note: (externalId, pointer) => cache.set(externalId, pointer),
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
