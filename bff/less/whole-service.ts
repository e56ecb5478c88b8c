import type * as z from "zod/mini";
import type { Outgoing } from "../../shared/api/conversation.ts";
import { codePoints } from "../../shared/characters.ts";
import { defined } from "../../shared/defined.ts";
import { Failure } from "../../shared/errors.ts";
import type { LoggedEvent } from "../../shared/event.ts";
import { MAX_SUBJECT_CODE_POINTS } from "../../shared/limits.ts";
import type { Rating } from "../../shared/rating.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { actionApprovals } from "../../shared/v1/action-approvals.ts";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { handoffStatusOf, requestHandoff } from "../../shared/v1/handoffs.ts";
import { rateConversation } from "../../shared/v1/ratings.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import { idempotencyKey } from "../conversation/send.ts";
import { offers, type Service, type SessionAsk } from "../conversation/service.ts";
import type { Session } from "../sessions/sessions.ts";
import { pageOf } from "../upstream/transcript.ts";
import { type Operation, recall, type Verified } from "../upstream/verified.ts";
import { factsOf } from "./feed-snapshot.ts";
import { createFeedSource } from "./feed-source.ts";
import { type Feeds, type LogName, messageOf, nameOf } from "./feeds.ts";
import { transcriptText } from "./transcript-text.ts";
import { requireSame, type Turns } from "./turns.ts";

type Answer<O extends Operation> = Promise<Verified<z.output<O["answer"]>>>;
type Handle<O extends Operation> = (session: Session, ask: SessionAsk<O>) => Answer<O>;

/** Adapts a service without events to the whole contract, by the log that the BFF writes of its verified answers. */
export function createWholeService(deps: {
  readonly service: Service;
  readonly feeds: Feeds;
  readonly turns: Turns;
  readonly clock: Clock;
}): Service {
  const { service, feeds, turns, clock } = deps;

  /** A service without turns takes the first message as the subject of the start. */
  const start: Handle<typeof startConversation> = async (session, { first, ...ask }) => {
    const subject = offers(session, "turns") ? undefined : first;
    const proof = await service.call(session, startConversation, subject ? withSubject(ask, subject) : ask);
    const log = logOf(session, proof.value.conversation.id);
    // A repeated start, whose pointer was not stored the first time, finds its entries in the log.
    const isKnown = lastTurningPoint(await feeds.read(log)) === "conversation.started";
    const isSaid = subject === undefined || (await feeds.find(log, subject.clientMessageId)) !== undefined;
    await feeds.append(log, proof, [
      ...(isKnown ? [] : [{ type: "conversation.started" as const }]),
      ...(isSaid ? [] : [{ type: "message.created" as const, message: messageOf(subject) }]),
    ]);
    return proof;
  };

  /** @throws Failure not_carried where the service can't accept it, conversation_full, and what `Turns.send` throws */
  const send: Handle<typeof sendTurn> = async (session, { params, request }) => {
    const { clientMessageId, content, attachments = [] } = request;
    if (attachments.length > 0) throw new Failure("not_carried");
    const log = logOf(session, params.id);
    const outgoing = { clientMessageId, body: content.body };
    const message = await feeds.find(log, clientMessageId);
    if (message) requireSame(message, outgoing);
    if (message) return recall({ message });
    if (!offers(session, "turns")) throw new Failure("not_carried");
    if (await feeds.isFull(log)) throw new Failure("conversation_full");
    const sent = { params, request };
    const open = (signal: AbortSignal) => service.open(session, sendTurn, sent, signal);
    return recall({ message: await turns.send({ log, outgoing, sent, open }) });
  };

  const askForPerson: Handle<typeof requestHandoff> = async (session, ask) => {
    const log = logOf(session, ask.request.conversationId);
    const written = await feeds.read(log);
    const transcript = transcriptText(written);
    const request = { ...ask.request, transcript };
    const key = transcript && { idempotencyKey: idempotencyKey(ask.idempotencyKey, transcript) };
    const proof = await service.call(session, requestHandoff, { ...ask, request, ...key });
    const { id } = proof.value.handoff;
    const status = handoffStatusOf(proof.value.handoff.status);
    const known = factsOf(written).handoff;
    if (known?.id !== id || known.status !== status) {
      await feeds.append(
        log,
        proof,
        [{ type: `handoff.${status}`, handoff: { id, status } }],
        written.length,
      );
    }
    return proof;
  };

  /** @throws Failure not_found for an action that nobody requested, key_reused for one that was answered differently */
  const answerAction: Handle<typeof actionApprovals> = async (session, ask) => {
    const log = logOf(session, ask.params.id);
    const { actionId, approved } = ask.request;
    const written = await feeds.read(log);
    const { actions = [] } = factsOf(written);
    const asked = actions.find((action) => action.actionId === actionId);
    if (!asked) throw new Failure("not_found");
    if (asked.approved === approved) return recall(undefined);
    if (asked.approved !== undefined) throw new Failure("key_reused");
    const proof = await service.call(session, actionApprovals, ask);
    await feeds.append(log, proof, [{ type: "action.answered", actionId, approved }], written.length);
    return proof;
  };

  /** The service may have forgotten an ended conversation, so the log answers a repeated request. */
  const end: Handle<typeof endConversation> = async (session, ask) => {
    const log = logOf(session, ask.params.id);
    const written = await feeds.read(log);
    if (lastTurningPoint(written) === "conversation.ended") return recall(undefined);
    const proof = await service.call(session, endConversation, ask);
    await turns.stop(log);
    await feeds.append(log, proof, [{ type: "conversation.ended", by: "customer" }], written.length);
    return proof;
  };

  /** @throws Failure conversation_full for a changed rating in a log of twice its maximum */
  const rate: Handle<typeof rateConversation> = async (session, ask) => {
    const log = logOf(session, ask.params.id);
    const written = await feeds.read(log);
    const known = factsOf(written).rating;
    const isKnown = ({ score, comment }: Rating) => known?.score === score && known?.comment === comment;
    if (known && !isKnown(ask.request) && (await feeds.isFull(log, 2)))
      throw new Failure("conversation_full");
    const proof = await service.call(session, rateConversation, ask);
    const { score, comment } = proof.value.rating;
    const rating = defined({ score, comment });
    if (!isKnown(rating))
      await feeds.append(log, proof, [{ type: "conversation.rated", rating }], written.length);
    return proof;
  };

  const HANDLERS = {
    conversations: start,
    turns: send,
    handoffs: askForPerson,
    actionApprovals: answerAction,
    endConversation: end,
    ratings: rate,
  };
  const isWhole = (session: Session) => offers(session, "events");

  return {
    ...service,
    call<O extends Operation>(session: Session, operation: O, ask: SessionAsk<O>): Answer<O> {
      const handlers: Readonly<Partial<Record<string, unknown>>> = HANDLERS;
      const handle = isWhole(session) ? undefined : handlers[operation.id];
      // The table has each handler under the id of its own operation.
      if (handle) return (handle as Handle<O>)(session, ask);
      return service.call(session, operation, ask);
    },
    async transcript(session, id, before) {
      if (isWhole(session)) return service.transcript(session, id, before);
      return pageOf(factsOf(await feeds.read(logOf(session, id))), before);
    },
    async head(session, id, after) {
      if (isWhole(session)) return service.head(session, id, after);
      return { lastSeq: (await feeds.read(logOf(session, id))).length };
    },
    follow(session, id, after, signal) {
      if (isWhole(session)) return service.follow(session, id, after, signal);
      return Promise.resolve(createFeedSource(feeds, logOf(session, id), after, { clock, signal }));
    },
  };
}

/** Whether a log says last that its conversation started or that it ended; a service may start one again under its id. */
function lastTurningPoint(log: readonly LoggedEvent[]) {
  return log
    .map(({ type }) => type)
    .findLast((type) => type === "conversation.started" || type === "conversation.ended");
}

function logOf(session: Session, conversationId: string): LogName {
  return nameOf(session.customer.externalId, conversationId);
}

/** @throws Failure body_too_large, because a service may silently cut a subject that is too long */
function withSubject(
  ask: SessionAsk<typeof startConversation>,
  { body: subject }: Outgoing,
): SessionAsk<typeof startConversation> {
  if (codePoints(subject) > MAX_SUBJECT_CODE_POINTS) {
    throw new Failure("body_too_large", {
      detail: `Support takes at most ${MAX_SUBJECT_CODE_POINTS} characters here. Shorten the text.`,
    });
  }
  return {
    ...ask,
    request: { ...ask.request, subject },
    idempotencyKey: idempotencyKey(ask.idempotencyKey, subject),
  };
}
