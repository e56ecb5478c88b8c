import type { ConversationSnapshot } from "../../shared/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { pause } from "../../shared/server/clock.ts";
import { factsOf } from "../feeds/feed-snapshot.ts";
import type { RouteDeps } from "../routes/deps.ts";
import type { Session } from "../sessions/sessions.ts";
import { epochOf } from "../streams/position.ts";
import { offers } from "../upstream/capabilities.ts";
import { isGone } from "../upstream/failure.ts";
import { readTranscript } from "../upstream/transcript.ts";
import { onlyOf, type Place } from "./current-conversation.ts";
import { takeUpAside } from "./linked-conversation.ts";
import { keepsOwnLog, logOf } from "./own-log.ts";

/** How long a service has for a second thought before its customer's screen is emptied on its word, ms. */
const SECOND_LOOK_MS = 1_000;

type LogDeps = Pick<RouteDeps, "upstream" | "serviceTokens" | "pointers" | "feeds">;
type SnapshotDeps = LogDeps & Pick<RouteDeps, "clock">;

/**
 * Reads the service's log of a conversation behind `after`, and keeps what it says of epoch and end. Of a loss a read alone
 * is no proof: a service that only can't show its transcripts would get another conversation with each message.
 *
 * @throws Failure no_conversation, where the service says that it has none such
 */
export async function readLog(
  deps: LogDeps,
  session: Session,
  { conversationId, owner }: Place,
  after: number,
) {
  const answer = await deps.serviceTokens
    .lend(
      session,
      (serviceToken) => readTranscript(deps.upstream, { serviceToken, conversationId, after }),
      owner,
    )
    .catch((error: unknown) => {
      throw isGone(error) ? new Failure("no_conversation", { cause: "its transcript is not there" }) : error;
    });
  const epoch = epochOf(conversationId, answer.value.epoch);
  const isEnded = answer.value.conversation?.status === "ended";
  const learned = { epoch, ...(isEnded ? { status: "ended" as const } : {}) };
  await deps.pointers.change(session.customer.externalId, onlyOf(conversationId, learned));
  return { epoch, log: answer.value };
}

/** The customer's conversation as the service has it now; null where there is none. */
export async function readSnapshot(
  deps: SnapshotDeps,
  session: Session,
): Promise<ConversationSnapshot | null> {
  const pointer = await takeUpAside(deps.pointers, session.customer.externalId);
  const { conversationId, status, owner } = pointer;
  if (conversationId === undefined) return null;
  if (keepsOwnLog(session)) {
    const facts = factsOf(await deps.feeds.read(logOf(session, { conversationId, owner }), 0));
    return {
      id: conversationId,
      status,
      epoch: pointer.epoch ?? epochOf(conversationId, undefined),
      ...facts,
    };
  }
  if (!offers(session, "messages")) {
    const epoch = pointer.epoch ?? epochOf(conversationId, undefined);
    return { id: conversationId, status, epoch, lastSeq: 0, messages: [] };
  }
  try {
    const { epoch, log } = await readTwice(deps, session, { conversationId, owner });
    const { handoff, rating, read } = log.conversation ?? {};
    return {
      id: conversationId,
      status: log.conversation?.status ?? status,
      epoch,
      lastSeq: log.lastSeq,
      messages: log.messages,
      ...(log.marks ? { marks: log.marks } : {}),
      ...(handoff ? { handoff } : {}),
      ...(rating ? { rating } : {}),
      ...(read ? { read } : {}),
    };
  } catch (error) {
    if (error instanceof Failure && error.code === "no_conversation") return null;
    throw error;
  }
}

/** The whole log. That there is none is believed only when it is said again: a moment's 404 is no reason to forget. */
async function readTwice(deps: SnapshotDeps, session: Session, place: Place) {
  try {
    return await readLog(deps, session, place, 0);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "no_conversation")) throw error;
    await pause(deps.clock, SECOND_LOOK_MS);
    return readLog(deps, session, place, 0);
  }
}
