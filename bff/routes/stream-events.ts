import { streamEvents } from "../../shared/api/conversation.ts";
import type { FeedEvent } from "../../shared/event.ts";
import { type CurrentConversation, requireConversation } from "../conversations/current-conversation.ts";
import { keepsOwnLog, logOf } from "../conversations/own-log.ts";
import { readLog } from "../conversations/snapshot.ts";
import { createFeedSource } from "../feeds/feed-source.ts";
import { eventsAnswer } from "../gate/headers.ts";
import type { Session } from "../sessions/sessions.ts";
import { epochOf, parsePosition } from "../streams/position.ts";
import { offers } from "../upstream/capabilities.ts";
import { createEventSource, type EventSource } from "../upstream/event-source.ts";
import { isRefused } from "../upstream/failure.ts";
import { followEvents } from "../upstream/transcript.ts";
import type { RouteDeps } from "./deps.ts";
import { route } from "./exchange.ts";

/** Follows the conversation behind `Last-Event-ID`, or from its beginning; a position that is gone gives a `reset`. */
export function createStreamEvents(deps: RouteDeps) {
  return route(streamEvents, async (exchange) => {
    const { session, address, requestId, lastEventId, more } = exchange;
    const { externalId } = session.customer;
    const current = requireConversation(await deps.pointers.read(externalId));
    const start = await locate(deps, session, current, lastEventId);
    if (start === undefined) return eventsAnswer(deps.streams.reset("position_gone"), requestId, more());

    const { conversationId } = current;
    try {
      const body = await deps.streams.open({
        session,
        address,
        ...start,
        connect: (after, signal) => connect(deps, session, current, after, signal),
        onEvent: (event) => noteEnd(deps, externalId, conversationId, event),
      });
      return eventsAnswer(body, requestId, more());
    } catch (error) {
      // The service does not know this position or this conversation: fetching anew tells which.
      if (isRefused(error, 400) || isRefused(error, 404))
        return eventsAnswer(deps.streams.reset("position_gone"), requestId, more());
      throw error;
    }
  });
}

/** Where to go on; undefined where the client's position is not one of this log. */
async function locate(
  deps: RouteDeps,
  session: Session,
  current: CurrentConversation,
  lastEventId: string | undefined,
): Promise<{ epoch: string; after: number } | undefined> {
  const { conversationId, epoch: known } = current;
  if (lastEventId === undefined) return { epoch: known ?? epochOf(conversationId, undefined), after: 0 };
  const position = parsePosition(lastEventId);
  if (position === undefined) return undefined;
  const { epoch, seq } = position;
  if (keepsOwnLog(session)) {
    const lastSeq = await deps.feeds.lastSeq(logOf(session, current));
    return epoch === known && seq <= lastSeq ? { epoch, after: seq } : undefined;
  }
  if (!offers(session, "messages")) return epoch === known ? { epoch, after: seq } : undefined;
  const now = await readLog(deps, session, current, seq);
  return epoch === now.epoch && seq <= now.log.lastSeq ? { epoch, after: seq } : undefined;
}

async function connect(
  deps: RouteDeps,
  session: Session,
  place: CurrentConversation,
  after: number,
  signal: AbortSignal,
): Promise<EventSource> {
  const { conversationId, owner } = place;
  if (keepsOwnLog(session)) {
    return createFeedSource(deps.feeds, logOf(session, place), after, { clock: deps.clock, signal });
  }
  const stream = await deps.serviceTokens.lend(
    session,
    (serviceToken) => followEvents(deps.upstream, { serviceToken, conversationId, after }, signal),
    owner,
  );
  return createEventSource(stream, conversationId, {
    clock: deps.clock,
    onUnknown: () => deps.log.debug({}, "an event of an unknown form was passed over"),
  });
}

/** The log is where an end is first known when a person or the service ended it. */
function noteEnd(deps: RouteDeps, externalId: string, conversationId: string, event: FeedEvent): void {
  if (event.type !== "conversation.ended") return;
  // Decided on the pointer as it is when it is written: the next conversation may have started meanwhile.
  deps.pointers
    .change(externalId, (now) => (now.conversationId === conversationId ? { status: "ended" } : {}))
    .catch(() =>
      deps.log.warn({}, "the end of a conversation could not be noted; the service will say it again"),
    );
}
