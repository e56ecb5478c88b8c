import type { ConversationSnapshot } from "../../shared/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { pause } from "../../shared/server/clock.ts";
import {
  afterEnd,
  afterErasure,
  afterReopening,
  afterReturn,
  type CurrentConversation,
  epochOf,
  isToReopen,
} from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { parsePosition } from "../streams/chat-stream.ts";
import { isGone } from "../upstream/failure.ts";
import { withWait } from "./handoff.ts";
import type { LinkDeps } from "./link-deps.ts";
import { ignoreLoss } from "./refusal.ts";
import { type LogHead, offers } from "./service.ts";

/** After a 404 the log is read again this much later, in ms: only a second 404 empties the customer's screen. */
const SECOND_LOOK_MS = 1_000;

/** The customer's pointer. After a linked conversation ended, it leads to the one that was set aside for it. */
export function currentPointer({ pointers }: Pick<LinkDeps, "pointers">, session: Session) {
  return pointers.change(session.customer.externalId, afterReturn);
}

/**
 * Reads the part of a conversation's log that `read` asks for, and stores the log's epoch and its last position. One
 * failed read does not prove that the conversation is gone: a service that can't show transcripts would otherwise get a
 * new one with each message.
 *
 * @throws Failure no_conversation, where the service says that it has no such conversation
 */
async function readLog<T extends LogHead>(
  deps: LinkDeps,
  session: Session,
  conversationId: string,
  read: () => Promise<T>,
) {
  const { externalId } = session.customer;
  const before = await deps.pointers.read(externalId);
  const log = await read().catch(async (error: unknown) => {
    if (!isGone(error)) throw error;
    // This proves an erasure, so it is stored without a second look.
    if (error.code === "conversation_erased")
      await deps.pointers.changeAt(externalId, conversationId, afterErasure);
    throw new Failure("no_conversation", { cause: "its transcript is gone" });
  });
  const epoch = epochOf(conversationId, log.epoch);
  await deps.pointers.changeAt(externalId, conversationId, (now) => {
    // A read that began before the customer continued it says nothing about now.
    const isEnded = log.status === "ended" && log.lastSeq > (now.continuesAfter ?? -1);
    // A person of the team reopened it while the customer had no open stream. The end must have been known before the
    // read: otherwise the read may be older than the end.
    const isKnownEnd = before.status === "ended" && now.status === "ended";
    const isReopened = log.status === "open" && isKnownEnd && offers(session, "reopen");
    const next = isEnded ? afterEnd(now) : isReopened ? afterReopening(now, log.lastSeq) : now;
    return { ...next, epoch };
  });
  return { epoch, log };
}

/** The position of the log for a client that has it up to `after`. Throws as `readLog`. */
export function readHead(deps: LinkDeps, session: Session, conversationId: string, after: number) {
  return readLog(deps, session, conversationId, () => deps.service.head(session, conversationId, after));
}

/**
 * The position at which a client's stream continues; undefined if the client's position does not belong to this log.
 */
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
  const now = await readHead(deps, session, conversationId, seq);
  return epoch === now.epoch && seq <= now.log.lastSeq ? { epoch, after: seq } : undefined;
}

export function readPage(deps: LinkDeps, session: Session, conversationId: string, before?: number) {
  return deps.readBounds(session.id, () =>
    readLog(deps, session, conversationId, () => deps.service.transcript(session, conversationId, before)),
  );
}

/** The customer's conversation as the service has it now, with the newest messages; null if there is none. */
export async function readSnapshot(deps: LinkDeps, session: Session): Promise<ConversationSnapshot | null> {
  const pointer = await currentPointer(deps, session);
  if (pointer.status === "none") return null;
  const { conversationId: id, status } = pointer;
  const read = () => readPage(deps, session, id).catch(ignoreLoss);
  // One 404 may be temporary.
  const known = (await read()) ?? (await pause(deps.clock, SECOND_LOOK_MS).then(read));
  if (!known) return null;
  const { epoch, log } = known;
  const isEnded = (log.status ?? status) === "ended";
  return {
    ...log,
    id,
    status: isEnded ? "ended" : "open",
    ...(isEnded && isToReopen(pointer) ? { reopens: true } : {}),
    epoch,
    ...(log.handoff ? { handoff: withWait(deps, session, log.handoff) } : {}),
  };
}
