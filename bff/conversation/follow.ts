import type { FeedEvent } from "../../shared/event.ts";
import { streamEvents } from "../../shared/v1/events.ts";
import { createFeedSource } from "../feeds/feed-source.ts";
import type { CurrentConversation } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { parsePosition } from "../streams/position.ts";
import { createEventSource, type EventSource } from "../upstream/event-source.ts";
import type { LinkDeps } from "./link-deps.ts";
import { keepsOwnLog, logOf } from "./own-log.ts";
import { noteEnd } from "./refusal.ts";
import { offers } from "./service.ts";
import { readLog } from "./snapshot.ts";

/** Where a client's stream continues; undefined where its position is not one of this log. */
export async function locate(
  deps: LinkDeps,
  session: Session,
  { conversationId, epoch: known }: CurrentConversation,
  lastEventId: string | undefined,
): Promise<{ readonly epoch: string; readonly after: number } | undefined> {
  if (lastEventId === undefined) return { epoch: known, after: 0 };
  const position = parsePosition(lastEventId);
  if (position === undefined) return undefined;
  const { epoch, seq } = position;
  if (keepsOwnLog(session)) {
    const lastSeq = await deps.feeds.lastSeq(logOf(session, conversationId));
    return epoch === known && seq <= lastSeq ? { epoch, after: seq } : undefined;
  }
  if (!offers(session, "messages")) return epoch === known ? { epoch, after: seq } : undefined;
  const now = await readLog(deps, session, conversationId, seq);
  return epoch === now.epoch && seq <= now.log.lastSeq ? { epoch, after: seq } : undefined;
}

/** Opens the conversation's events after `after`; `signal` ends them. */
export async function connect(
  deps: LinkDeps,
  session: Session,
  id: string,
  after: number,
  signal: AbortSignal,
): Promise<EventSource> {
  const { clock, log } = deps;
  if (keepsOwnLog(session)) {
    return createFeedSource(deps.feeds, logOf(session, id), after, { clock, signal });
  }
  const stream = await deps.service.open(session, streamEvents, { params: { id }, after }, signal);
  return createEventSource(stream, id, {
    clock,
    onUnknown: () => log.debug({}, "an event of an unknown form was skipped"),
  });
}

/** When a person or the service ends a conversation, its events are the first to say so. */
export function hearEnd(deps: LinkDeps, session: Session, conversationId: string, event: FeedEvent): void {
  if (event.type !== "conversation.ended") return;
  noteEnd(deps.pointers, session.customer.externalId, conversationId).catch(() =>
    deps.log.warn({}, "the end of a conversation could not be stored; the service will report it again"),
  );
}
