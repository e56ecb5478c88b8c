import type { Clock } from "../../shared/server/clock.ts";
import { createRecords } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { pointerLifeOf } from "./lifetimes.ts";
import { ConversationPointer, type CurrentConversation, NO_POINTER } from "./pointer.ts";

const CACHED_CHARACTERS = 2_000_000;

export type Pointers = ReturnType<typeof createPointers>;

/**
 * The conversation that each customer is in. `onMoved` runs when it is another one than before, which the customer's
 * streams would go on following. Every function may throw Failure unavailable or storage_full.
 */
export function createPointers(store: Store, clock: Clock, onMoved: (externalId: string) => void) {
  const records = createRecords<ConversationPointer>({
    store,
    clock,
    prefix: "pointer:",
    schema: ConversationPointer,
    lifeOf: pointerLifeOf,
    cachedCharacters: CACHED_CHARACTERS,
    livesByReading: () => true,
  });
  /** Replaces the pointer by what follows from it at that moment; nothing is written when nothing differs. */
  const change = async (externalId: string, next: (now: ConversationPointer) => ConversationPointer) => {
    let isMove = false;
    const after = await records.change(externalId, (now = NO_POINTER) => {
      const then = next(now);
      isMove = leadsElsewhere(now, then);
      return then === now ? undefined : then;
    });
    if (isMove) onMoved(externalId);
    return after ?? NO_POINTER;
  };
  return {
    read: async (externalId: string) => (await records.find(externalId))?.value ?? NO_POINTER,
    change,
    /** The change that writes a pointer together with other keys, whatever is there. */
    put: records.put,
    /** Applies what was learned about one conversation if the pointer still leads there: another may have begun. */
    changeAt: (
      externalId: string,
      conversationId: string,
      next: (now: CurrentConversation) => ConversationPointer,
    ) =>
      change(externalId, (now) =>
        now.status !== "none" && now.conversationId === conversationId ? next(now) : now,
      ),
  };
}

/** A customer without any conversation before follows none. */
function leadsElsewhere(now: ConversationPointer, then: ConversationPointer): boolean {
  if (then.status === "none") return false;
  return now.status === "none" ? now.started > 0 : now.conversationId !== then.conversationId;
}
