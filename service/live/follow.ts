import type { LiveEvent, ServiceEvent } from "../../shared/event.ts";
import type { ConversationStore } from "../store/conversations.ts";
import type { Owner } from "../store/owner.ts";
import type { Hub } from "./hub.ts";

/** How many events are read from the log at once while a follower catches up. */
const PAGE = 500;

export interface FollowDeps {
  readonly hub: Hub;
  readonly readEvents: ConversationStore["readEvents"];
  /** The text that an agent has produced so far, for a follower who joins in the middle. */
  readonly readSnapshot: (conversationId: string) => LiveEvent | undefined;
}

export interface Follower {
  /** Receives events in order. Each durable event comes exactly once, from the position on, without gaps. */
  readonly onEvent: (event: ServiceEvent) => void;
  /** Resolves when a slow reader has caught up enough for the replay to go on. */
  readonly calm: () => Promise<void> | undefined;
  /** The log can't be read any more: the follower must end and reconnect. */
  readonly onError: (error: unknown) => void;
}

/**
 * Follows a conversation after `after`: first the log, then live events, without a gap or a duplicate. It subscribes
 * before it reads. Events that are published meanwhile are read from the log later, so a slow reader costs no memory;
 * an answer in progress comes as one snapshot. `signal` stops it, also in the middle of the log.
 *
 * @throws Failure `not_found` from the first read
 */
export async function follow(
  deps: FollowDeps,
  from: { owner: Owner; conversationId: string; after: number; signal: AbortSignal },
  follower: Follower,
): Promise<void> {
  const { owner, conversationId, signal } = from;
  let last = from.after;
  /** The newest seq that was published; the log contains everything up to it. */
  let newest = 0;
  let level = false;

  const give = (event: ServiceEvent) => {
    if ("seq" in event) last = event.seq;
    follower.onEvent(event);
  };
  const catchUp = async () => {
    level = false;
    const replayed = new Set<string>();
    for (;;) {
      const { events } = await deps.readEvents(owner, conversationId, last, PAGE);
      for (const event of events) {
        const calm = follower.calm();
        if (calm) await calm;
        if (signal.aborted) return;
        if (event.type === "message.created") replayed.add(event.message.id);
        give(event);
      }
      if (events.length < PAGE && newest <= last) break;
    }
    // No await from here to the end, so nothing can be published in between.
    const snapshot = deps.readSnapshot(conversationId);
    // The whole message may have been sent from the log already, and a piece of it must not follow.
    const over = snapshot && "messageId" in snapshot && replayed.has(snapshot.messageId);
    if (snapshot && !over) give(snapshot);
    level = true;
  };
  const stop = deps.hub.subscribe(conversationId, ({ event }) => {
    if ("seq" in event) newest = event.seq;
    // An erased log can't be read to its end. The follower ends the stream by this event.
    if (!level && event.type !== "conversation.erased") return;
    if (!("seq" in event)) follower.onEvent(event);
    else if (event.seq === last + 1) give(event);
    // Events were missed in between; the log has them.
    else if (event.seq > last) catchUp().catch(follower.onError);
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    await catchUp();
  } catch (error) {
    stop();
    throw error;
  }
}
