import type { FeedEvent } from "../../shared/event.ts";
import type { CurrentConversation } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { parsePosition } from "../streams/position.ts";
import type { LinkDeps } from "./link-deps.ts";
import { noteEnd } from "./refusal.ts";
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
  const now = await readLog(deps, session, conversationId, seq);
  return epoch === now.epoch && seq <= now.log.lastSeq ? { epoch, after: seq } : undefined;
}

/** When a person or the service ends a conversation, its events are the first to say so. */
export function hearEnd(deps: LinkDeps, session: Session, conversationId: string, event: FeedEvent): void {
  if (event.type !== "conversation.ended") return;
  noteEnd(deps.pointers, session.customer.externalId, conversationId).catch(() =>
    deps.log.warn({}, "the end of a conversation could not be stored; the service will report it again"),
  );
}
