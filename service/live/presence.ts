import { LRUCache } from "lru-cache";
import type { DeskPresence } from "../../shared/desk.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Hub } from "./hub.ts";

/** A page change closes the stream and opens another one: only after this long has the customer left. */
export const LEAVING_MS = 10_000;

/** How many departures are remembered. */
const MOST_LEFT = 10_000;

/**
 * Which customers have their conversation open somewhere, and when others left. It is known from their streams, in this
 * process and until it stops; nothing about it is stored.
 */
export interface Presence {
  /** A customer opened a stream; the returned function closes it. */
  join(workspaceId: string, conversationId: string): () => void;
  /** Undefined if the customer was not there since this process started. */
  of(conversationId: string): DeskPresence | undefined;
}

interface Here {
  streams: number;
  cancelLeaving: () => void;
}

export function createPresence({
  hub,
  clock,
}: {
  readonly hub: Pick<Hub, "touch">;
  readonly clock: Clock;
}): Presence {
  const here = new Map<string, Here>();
  const left = new LRUCache<string, number>({ maxSize: MOST_LEFT, sizeCalculation: () => 1 });

  const leave = (workspaceId: string, conversationId: string, entry: Here) => {
    const at = clock.now();
    entry.cancelLeaving = clock.after(LEAVING_MS, () => {
      here.delete(conversationId);
      left.set(conversationId, at);
      hub.touch(workspaceId, conversationId);
    });
  };

  return {
    join(workspaceId, conversationId) {
      const known = here.get(conversationId);
      const entry = known ?? { streams: 0, cancelLeaving: () => undefined };
      entry.cancelLeaving();
      entry.streams += 1;
      if (!known) {
        here.set(conversationId, entry);
        left.delete(conversationId);
        hub.touch(workspaceId, conversationId);
      }
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        entry.streams -= 1;
        if (entry.streams === 0) leave(workspaceId, conversationId, entry);
      };
    },
    of(conversationId) {
      if (here.has(conversationId)) return { online: true };
      const at = left.get(conversationId);
      return at === undefined ? undefined : { online: false, lastSeenAt: new Date(at).toISOString() };
    },
  };
}
