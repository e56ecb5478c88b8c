import { type Outgoing, startConversation } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { MAX_SUBJECT_CODE_POINTS } from "../../shared/limits.ts";
import { Route } from "../../shared/route.ts";
import { codePoints } from "../../shared/text.ts";
import { requireFilesCarried } from "../conversations/carried.ts";
import type { Place } from "../conversations/current-conversation.ts";
import { idempotencyKey } from "../conversations/idempotency-key.ts";
import { takeUpAside } from "../conversations/linked-conversation.ts";
import { startedFor, withStart } from "../conversations/lost-conversation.ts";
import { beginLog, keepsOwnLog, logOf, sendByLog } from "../conversations/own-log.ts";
import { readLog } from "../conversations/snapshot.ts";
import { sendTurn, sentMessageOf } from "../conversations/turn.ts";
import type { ConversationPointer } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { epochOf } from "../streams/position.ts";
import { offers } from "../upstream/capabilities.ts";
import { startServiceConversation } from "../upstream/conversations.ts";
import { both } from "../upstream/verified.ts";
import type { RouteDeps } from "./deps.ts";
import { type Exchange, respond, respondOwn, route } from "./exchange.ts";
import { selectionForStart } from "./select-for-customer.ts";

type Start = Exchange<typeof startConversation>;

/**
 * Starts a conversation with its first message; with one open, the message goes there. One at a time per customer, so that
 * two tabs can't start two. A retry goes on where the first try was left: the start has a key of its own, and once it is
 * confirmed the conversation is remembered before the message is sent.
 */
export function createStartConversation(deps: RouteDeps) {
  return route(startConversation, async (exchange) => {
    requireFilesCarried(exchange.session, exchange.body);
    return deps.locks.run(exchange.session.customer.externalId, () => place(deps, exchange, undefined));
  });
}

/** Puts the message where it belongs. `over` is the conversation that just turned out to be so. */
async function place(deps: RouteDeps, exchange: Start, over: string | undefined): Promise<Response> {
  // Exchanged for an identified session, or logged out, perhaps at another BFF, while this waited for its turn.
  await deps.sessions.learnEnds([exchange.session.id]);
  if (deps.sessions.isOver(exchange.session)) throw new Failure("unauthenticated");
  const pointer = await takeUpAside(deps.pointers, exchange.session.customer.externalId);
  const { conversationId, owner, status, epoch, route } = pointer;
  if (conversationId === undefined) {
    const before = startedFor(pointer, exchange.body.clientMessageId);
    return before === undefined ? startNew(deps, exchange) : continueLost(deps, exchange, before, route);
  }
  if (conversationId === over || status === "ended") return startNew(deps, exchange);
  try {
    return await continueOpen(deps, exchange, { conversationId, owner }, { epoch, route });
  } catch (error) {
    // Ended by a person, or lost by the service, since we looked: what the customer wrote goes to the next one.
    const isOver =
      error instanceof Failure && (error.code === "conversation_ended" || error.code === "no_conversation");
    if (!isOver) throw error;
    return place(deps, exchange, conversationId);
  }
}

/** Lost from sight, and nobody ended it: it may be there again, and the message that started it has no second start. */
async function continueLost(
  deps: RouteDeps,
  exchange: Start,
  conversationId: string,
  route: Route | undefined,
): Promise<Response> {
  const epoch = epochOf(conversationId, undefined);
  const found = { conversationId, status: "open" as const, epoch, owner: undefined };
  await deps.pointers.change(exchange.session.customer.externalId, found);
  return continueOpen(deps, exchange, { conversationId }, { epoch, route });
}

async function continueOpen(
  deps: RouteDeps,
  exchange: Start,
  place: Place,
  known: Pick<ConversationPointer, "epoch" | "route">,
) {
  const { session, body } = exchange;
  const id = place.conversationId;
  const conversation = {
    id,
    status: "open" as const,
    epoch: known.epoch ?? epochOf(id, undefined),
    ...(known.route ? { route: known.route } : {}),
  };
  if (keepsOwnLog(session)) {
    const { message, proof } = await sendByLog(deps, session, place, body);
    const answer = { conversation, message };
    return proof ? respond(exchange, 201, proof, () => answer) : respondOwn(exchange, answer);
  }
  const turn = await sendTurn(deps, session, place, body);
  return respond(exchange, 201, turn, (confirmed) => ({
    conversation,
    message: sentMessageOf(confirmed, body, deps.clock.now()),
  }));
}

async function startNew(deps: RouteDeps, exchange: Start): Promise<Response> {
  const { session, body } = exchange;
  const { started, route } = await confirmStart(deps, session, body);
  const { id, startedAt } = started.value.conversation;
  const conversation = {
    id,
    status: "open" as const,
    route,
    ...(startedAt === undefined ? {} : { startedAt }),
  };
  if (keepsOwnLog(session)) {
    // The seven alone: what the customer wrote went with the start, as its subject.
    const subject = offers(session, "turns") ? undefined : body;
    const place = { conversationId: id };
    const carried = await beginLog(deps, logOf(session, place), started, subject);
    const { message, proof = started } = carried
      ? { message: carried }
      : await sendByLog(deps, session, place, body);
    const withEpoch = { ...conversation, epoch: epochOf(id, undefined) };
    return respond(exchange, 201, both(started, proof), () => ({ conversation: withEpoch, message }));
  }
  const [turn, epoch] = await Promise.all([
    sendTurn(deps, session, { conversationId: id }, body),
    learnEpoch(deps, session, id),
  ]);
  return respond(exchange, 201, both(started, turn), ([, confirmed]) => ({
    conversation: { ...conversation, epoch },
    message: sentMessageOf(confirmed, body, deps.clock.now()),
  }));
}

/** A verified start, remembered. Its key holds the customer's conversation count, so that each try of it is the same one. */
export async function confirmStart(deps: RouteDeps, session: Session, body: Outgoing | undefined) {
  const { externalId } = session.customer;
  const before = await deps.pointers.read(externalId);
  const { started: count } = before;
  const subject = offers(session, "turns") ? undefined : body?.body;
  // A field that a service may cut without a word: what might not fit is refused whole.
  if (subject !== undefined && codePoints(subject) > MAX_SUBJECT_CODE_POINTS) {
    throw new Failure("body_too_large", {
      detail: `Support takes at most ${MAX_SUBJECT_CODE_POINTS} characters here. Shorten the text.`,
    });
  }
  const { started, route } = await deps.serviceTokens.lend(session, async (serviceToken) => {
    // By the same token as the start: the service keeps a selection for the session that asked for it.
    const selection = await selectionForStart(deps, session, serviceToken);
    const { providerId } = selection;
    const answer = await startServiceConversation(deps.upstream, {
      serviceToken,
      idempotencyKey: idempotencyKey("start", externalId, count + 1, providerId, subject),
      isIdempotent: offers(session, "idempotency"),
      ...(providerId === undefined ? {} : { providerId }),
      ...(subject === undefined ? {} : { subject }),
    });
    const named = Route.safeParse(answer.value.conversation.route);
    return { started: answer, route: named.success ? named.data : selection.route };
  });
  const conversationId = started.value.conversation.id;
  await deps.pointers.change(externalId, {
    conversationId,
    status: "open",
    epoch: epochOf(conversationId, undefined),
    started: count + 1,
    handoffs: 0,
    owner: undefined,
    route,
    ...(body ? { startedFor: withStart(before, body.clientMessageId, conversationId) } : {}),
  });
  // A screen that still follows the conversation before would put this one's messages at the places of that log: its line
  // ends, its position is of another epoch, and the reset makes it read anew.
  if (count > 0) deps.streams.closeSession(session.id);
  return { started, route };
}

/** The epoch that the service's log has; without an answer the conversation's own, which a later read may replace. */
async function learnEpoch(deps: RouteDeps, session: Session, id: string): Promise<string> {
  if (!offers(session, "messages")) return epochOf(id, undefined);
  try {
    return (await readLog(deps, session, { conversationId: id }, 0)).epoch;
  } catch (error) {
    deps.log.debug({ code: error instanceof Failure ? error.code : "internal" }, "epoch not learned");
    return epochOf(id, undefined);
  }
}
