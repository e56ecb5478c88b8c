import type { ServiceEvent } from "../../shared/event.ts";
import type { Wait } from "../../shared/handoff.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { HandoffStore } from "../store/handoffs.ts";
import type { Hub } from "./hub.ts";

/** The shortest time between two reads of one workspace's queue, in ms, even if it changes more often. */
export const WAITS_MS = 1000;

/** Reports to open streams how long their customers will wait, whenever the queue of their workspace changes. */
export interface Waits {
  /** Calls `onWait` with each new wait of a conversation; returns a function that stops it. */
  follow(workspaceId: string, conversationId: string, onWait: (wait: Wait) => void): () => void;
}

/** The events after which a place in the queue may be another one. */
const CHANGES: ReadonlySet<ServiceEvent["type"]> = new Set([
  "handoff.requested",
  "handoff.accepted",
  "handoff.returned",
  "handoff.failed",
  "conversation.ended",
  "conversation.erased",
]);

interface Follower {
  readonly onWait: (wait: Wait) => void;
  last: string;
}

interface Room {
  readonly followers: Map<string, Set<Follower>>;
  readonly leave: () => void;
}

export function createWaits(deps: {
  readonly hub: Pick<Hub, "subscribeWorkspace">;
  readonly handoffs: Pick<HandoffStore, "listWaits">;
  readonly clock: Clock;
  readonly log: Log;
}): Waits {
  const { hub, handoffs, clock, log } = deps;
  const rooms = new Map<string, Room>();

  const report = async (workspaceId: string, followers: Room["followers"]) => {
    for (const { conversationId, wait } of await handoffs.listWaits(workspaceId)) {
      const text = JSON.stringify(wait);
      for (const follower of followers.get(conversationId) ?? []) {
        if (follower.last === text) continue;
        follower.last = text;
        follower.onWait(wait);
      }
    }
  };

  function open(workspaceId: string): Room {
    const followers: Room["followers"] = new Map();
    let cancel: (() => void) | undefined;
    let isDue = false;
    const reportDue = () => {
      cancel = undefined;
      if (!isDue) return;
      isDue = false;
      cancel = clock.after(WAITS_MS, reportDue);
      report(workspaceId, followers).catch((error: unknown) =>
        log.warn({ workspaceId, ...errorFacts(error) }, "the waits of a queue can't be read"),
      );
    };
    const unsubscribe = hub.subscribeWorkspace(workspaceId, ({ conversationId, event }) => {
      if (!CHANGES.has(event.type)) return;
      // A client drops its wait when a person joins, so the same wait is news to it afterwards.
      for (const follower of followers.get(conversationId) ?? []) follower.last = "";
      isDue = true;
      if (!cancel) reportDue();
    });
    const leave = () => {
      unsubscribe();
      cancel?.();
      rooms.delete(workspaceId);
    };
    const room = { followers, leave };
    rooms.set(workspaceId, room);
    return room;
  }

  return {
    follow(workspaceId, conversationId, onWait) {
      const room = rooms.get(workspaceId) ?? open(workspaceId);
      const group = room.followers.get(conversationId) ?? new Set();
      room.followers.set(conversationId, group);
      const follower = { onWait, last: "" };
      group.add(follower);
      return () => {
        group.delete(follower);
        if (group.size === 0) room.followers.delete(conversationId);
        if (room.followers.size === 0) room.leave();
      };
    },
  };
}
