import type { DurableEvent, LiveEvent, ServiceEvent } from "../../shared/event.ts";
import type { ConversationStore, Owner } from "../store/store.ts";
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
  /** Waits until more can be taken; a long replay asks between its pages. */
  readonly onPage: () => Promise<void>;
  /** The log could not be read any more: the follower must end and come again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Follows a conversation from `after` on: first the log, then what happens, joined without a gap or a double (R54).
 * It listens before it reads, keeps what arrives meanwhile, and drops what it has read by its seq. The answer stops it.
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
  /** Events that came while the log is being read; undefined while the follower is level with it. */
  let kept: ServiceEvent[] | undefined = [];
  const replayed = new Set<string>();

  const give = (event: ServiceEvent) => {
    if ("seq" in event) {
      if (event.seq <= last) return;
      last = event.seq;
    } else if ("messageId" in event && replayed.has(event.messageId)) {
      // The whole message has gone out from the log already: a piece of it would come after its end.
      return;
    }
    follower.onEvent(event);
  };
  const catchUp = async () => {
    for (;;) {
      const { events } = await deps.readEvents(owner, conversationId, last, PAGE);
      for (const event of events) {
        if (isMessage(event)) replayed.add(event.message.id);
        give(event);
      }
      if (events.length < PAGE) break;
      await follower.onPage();
    }
    const arrived = kept ?? [];
    kept = undefined;
    for (const event of arrived) take(event);
    if (!kept) replayed.clear();
  };
  const take = (event: ServiceEvent) => {
    if (kept) kept.push(event);
    else if ("seq" in event && event.seq > last + 1) {
      // Something was missed on the way here: the log has it.
      kept = [event];
      catchUp().catch(follower.onError);
    } else give(event);
  };

  const stop = deps.hub.subscribe(conversationId, ({ event }) => take(event));
  const snapshot = deps.readSnapshot(conversationId);
  if (snapshot) kept.push(snapshot);
  try {
    await catchUp();
    return stop;
  } catch (error) {
    stop();
    throw error;
  }
}

function isMessage(event: DurableEvent): event is Extract<DurableEvent, { type: "message.created" }> {
  return event.type === "message.created";
}
