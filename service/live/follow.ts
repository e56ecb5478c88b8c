import type { LiveEvent, ServiceEvent } from "../../shared/event.ts";
import type { ConversationStore } from "../store/conversations.ts";
import type { Owner } from "../store/owner.ts";
import type { Hub } from "./hub.ts";

/** Events read from the log at once while a follower catches up. */
const PAGE = 500;

export interface FollowDeps {
  readonly hub: Hub;
  readonly readEvents: ConversationStore["readEvents"];
  /** What an agent is saying right now, for one who joins in the middle. */
  readonly readSnapshot: (conversationId: string) => LiveEvent | undefined;
}

export interface Follower {
  /** Takes an event, in order. Durable ones come each once, from the position on, without a hole. */
  readonly onEvent: (event: ServiceEvent) => void;
  /** Resolves when a slow reader has caught up enough for the replay to go on. */
  readonly calm: () => Promise<void> | undefined;
  /** The log could not be read any more: the follower must end and come again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Follows a conversation from `after` on: first the log, then what happens, joined without a gap or a double.
 * It listens before it reads. What is published while it reads is read from the log later, so that a slow reader
 * costs no memory; what is being said at the moment it joins comes as one snapshot. The answer stops it.
 *
 * @throws Failure `not_found` of the first read
 */
export async function follow(
  deps: FollowDeps,
  from: { owner: Owner; conversationId: string; after: number },
  follower: Follower,
): Promise<() => void> {
  const { owner, conversationId } = from;
  let last = from.after;
  /** The newest seq that was published; the log has everything up to it. */
  let newest = 0;
  let level = false;
  let stopped = false;

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
        if (stopped) return;
        if (event.type === "message.created") replayed.add(event.message.id);
        give(event);
      }
      if (events.length < PAGE && newest <= last) break;
    }
    // From here to the end nothing waits, so nothing can be published between.
    const snapshot = deps.readSnapshot(conversationId);
    // The whole message may have gone out from the log already: a piece of it would come after its end.
    const over = snapshot && "messageId" in snapshot && replayed.has(snapshot.messageId);
    if (snapshot && !over) give(snapshot);
    level = true;
  };
  const stop = deps.hub.subscribe(conversationId, ({ event }) => {
    if ("seq" in event) newest = event.seq;
    if (!level) return;
    if (!("seq" in event)) follower.onEvent(event);
    else if (event.seq === last + 1) give(event);
    // Something was missed on the way here: the log has it.
    else if (event.seq > last) catchUp().catch(follower.onError);
  });
  const leave = () => {
    stopped = true;
    stop();
  };
  try {
    await catchUp();
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
