import type * as z from "zod/mini";
import type { startConversation as api, Outgoing } from "../../shared/api/conversation.ts";
import { defined } from "../../shared/defined.ts";
import { Failure, type FailureCode } from "../../shared/errors.ts";
import { Route } from "../../shared/route.ts";
import { type StartedFrom, startConversation } from "../../shared/v1/conversations.ts";
import { afterFinding, afterStart, epochOf, isToReopen, startedFor } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Verified } from "../upstream/verified.ts";
import { reopen } from "./continuing.ts";
import type { LinkDeps } from "./link-deps.ts";
import { selectionForStart } from "./selection.ts";
import { idempotencyKey, send } from "./send.ts";
import { offers } from "./service.ts";
import { currentPointer, readHead } from "./snapshot.ts";

/** The service accepts no more messages in this conversation, so a message may start the next one. */
const OVER: readonly FailureCode[] = ["conversation_ended", "conversation_full", "no_conversation"];

/** Longest path that the service stores, in characters. */
const MAX_PATH = 500;

/** A conversation with the message that was sent into it. */
export type Placed = Verified<z.input<typeof api.answer>>;

/**
 * Sends a message into the open conversation, or starts one with it. A retry continues where the first try stopped: the
 * start has a key of its own, and the pointer is written before the message is sent. The caller holds the customer's lock.
 */
export async function placeMessage(
  deps: LinkDeps,
  session: Session,
  outgoing: Outgoing,
  over?: string,
): Promise<Placed> {
  await requireLive(deps, session);
  const pointer = await currentPointer(deps, session);
  if (pointer.status === "none") {
    const before = startedFor(pointer, outgoing.clientMessageId);
    if (before === undefined) return startWith(deps, session, outgoing);
    await deps.pointers.change(session.customer.externalId, (now) => afterFinding(now, before));
    return sendInto(deps, session, { conversationId: before, epoch: epochOf(before, undefined) }, outgoing);
  }
  const { conversationId, status } = pointer;
  if (isToReopen(pointer)) {
    // The customer chose this conversation. If it accepts no message, the customer decides; no other one starts
    // automatically.
    await reopen(deps, session, conversationId);
    return sendInto(deps, session, pointer, outgoing);
  }
  if (conversationId === over || status === "ended") return startWith(deps, session, outgoing);
  try {
    return await sendInto(deps, session, pointer, outgoing);
  } catch (error) {
    // It is full, a person ended it, or the service lost it, since the pointer was read: the next conversation takes it.
    if (!(error instanceof Failure && OVER.includes(error.code))) throw error;
    return placeMessage(deps, session, outgoing, conversationId);
  }
}

/** The conversation for a file; starts one if none is open. The caller holds the customer's lock. */
export async function placeFile(deps: LinkDeps, session: Session): Promise<string> {
  await requireLive(deps, session);
  const pointer = await currentPointer(deps, session);
  if (pointer.status !== "none" && isToReopen(pointer)) await reopen(deps, session, pointer.conversationId);
  else if (pointer.status !== "open")
    return (await confirmStart(deps, session, undefined)).started.value.conversation.id;
  return pointer.conversationId;
}

/** While a request waited for the lock, its session may have ended, perhaps at another BFF. */
async function requireLive({ sessions }: LinkDeps, session: Session): Promise<void> {
  await sessions.learnEnds([session.id]);
  if (sessions.isOver(session)) throw new Failure("unauthenticated");
}

async function sendInto(
  deps: LinkDeps,
  session: Session,
  known: { readonly conversationId: string; readonly epoch: string; readonly route?: Route | undefined },
  outgoing: Outgoing,
): Promise<Placed> {
  const { conversationId: id, epoch, route } = known;
  const sent = await send(deps, session, id, outgoing);
  return sent.as(({ message }) => ({ conversation: { id, status: "open", epoch, route }, message }));
}

async function startWith(deps: LinkDeps, session: Session, outgoing: Outgoing): Promise<Placed> {
  const { started, route } = await confirmStart(deps, session, outgoing);
  const { id, startedAt } = started.value.conversation;
  const [sent, epoch] = await Promise.all([send(deps, session, id, outgoing), learnEpoch(deps, session, id)]);
  return sent.as(({ message }) => ({
    conversation: { id, status: "open", route, startedAt, epoch },
    message,
  }));
}

/** A verified start, stored. Its key has the conversation's number, so that each attempt has the same key. */
async function confirmStart(deps: LinkDeps, session: Session, outgoing: Outgoing | undefined) {
  const { externalId } = session.customer;
  const { started: count } = await deps.pointers.read(externalId);
  // With one token, because the service stores a selection for the session that requested it.
  const { started, route } = await deps.service.withToken(session, async (token) => {
    const selection = await selectionForStart(deps, session, token);
    const { providerId } = selection;
    const answer = await deps.service.call(session, startConversation, {
      request: defined({ providerId, startedFrom: startedFrom(session) }),
      token,
      idempotencyKey: idempotencyKey("start", externalId, count + 1, providerId),
      first: outgoing,
    });
    const named = Route.safeParse(answer.value.conversation.route);
    return { started: answer, route: named.success ? named.data : selection.route };
  });
  const { id: conversationId } = started.value.conversation;
  await deps.pointers.change(externalId, (now) =>
    afterStart(now, { conversationId, route }, outgoing?.clientMessageId),
  );
  return { started, route };
}

/** For the people who answer, where the service stores it: the path, because the rest of the address is the owner's. */
function startedFrom(session: Session): StartedFrom | undefined {
  const { page, browser } = session;
  if (!offers(session, "startedFrom") || (page === undefined && browser === undefined)) return undefined;
  return defined({ page: page && new URL(page).pathname.slice(0, MAX_PATH), browser });
}

/** The epoch of the service's log; if it does not answer, the conversation's own, which a later read may replace. */
async function learnEpoch(deps: LinkDeps, session: Session, id: string): Promise<string> {
  try {
    return (await readHead(deps, session, id, 0)).epoch;
  } catch (error) {
    deps.log.debug({ code: error instanceof Failure ? error.code : "internal" }, "epoch not learned");
    return epochOf(id, undefined);
  }
}
