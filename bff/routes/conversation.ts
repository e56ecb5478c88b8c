import * as api from "../../shared/api/conversation.ts";
import * as history from "../../shared/api/history.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Link } from "../conversation/link.ts";
import { eventsAnswer, fileAnswer } from "../gate/headers.ts";
import type { Limits } from "../gate/limits.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Streams } from "../streams/streams.ts";
import { isRefused } from "../upstream/failure.ts";
import { bodyOf } from "../upstream/files.ts";
import { type Exchange, type Route, requireCarried, respond, respondOwn, route } from "./exchange.ts";

export interface ConversationDeps {
  readonly limits: Limits;
  readonly link: Link;
  readonly streams: Streams;
  readonly clock: Clock;
}

/** A message with files is sent only to a service that takes files. */
function requireFilesCarried(session: Session, { attachments }: api.Outgoing): void {
  if (attachments !== undefined) requireCarried(session, api.uploadAttachment);
}

/**
 * What a customer does with their conversation. Each route calls the link, and claims only what the service verifiably
 * said.
 */
export function conversationRoutes(deps: ConversationDeps): readonly Route[] {
  const { link, limits, clock } = deps;
  return [
    route(api.startConversation, async (exchange) => {
      const { session, body } = exchange;
      requireFilesCarried(session, body);
      const { conversation, message, proof } = await link.start(session, body);
      return respond(exchange, 201, proof, () => ({ conversation, message }));
    }),
    route(api.sendMessage, async (exchange) => {
      const { session, body } = exchange;
      requireFilesCarried(session, body);
      const { message, proof } = await link.send(session, body);
      return respond(exchange, 201, proof, () => ({ message }));
    }),
    route(api.readEarlier, async (exchange) => {
      // As in a resume, the page was verified, and what is shown of it has the same fields.
      return respondOwn(exchange, await link.readEarlier(exchange.session, exchange.query.before));
    }),
    route(history.listConversations, async (exchange) => {
      const { proof, page } = await link.listOwn(exchange.session, exchange.query.after);
      return respond(exchange, 200, proof, () => page);
    }),
    route(history.readPast, async (exchange) => {
      const { of, before } = exchange.query;
      return respondOwn(exchange, await link.readPast(exchange.session, of, before));
    }),
    route(history.searchConversations, async (exchange) => {
      const { proof, page } = await link.searchOwn(exchange.session, exchange.body);
      return respond(exchange, 200, proof, () => ({ ...page, text: exchange.body.text }));
    }),
    route(history.continueConversation, async (exchange) => {
      // Which conversation the panel shows is the BFF's own record. What the panel then reads of it is verified.
      const id = await link.continuePast(exchange.session, exchange.body.of);
      return respondOwn(exchange, { conversation: { id } });
    }),
    route(api.streamEvents, (exchange) => openEvents(deps, exchange)),
    route(api.requestHandoff, async (exchange) => {
      const { handoff, proof } = await link.requestHandoff(exchange.session, exchange.body);
      return respond(exchange, 201, proof, () => ({ handoff }));
    }),
    route(api.answerAction, async (exchange) => {
      const answered = await link.answerAction(exchange.session, exchange.body);
      return respond(exchange, 200, answered, () => ({ action: exchange.body }));
    }),
    route(api.uploadAttachment, async (exchange) => {
      const { session, upload, address } = exchange;
      const by = { session: session.id, address };
      const stored = await limits.upload(by, () => link.storeFile(session, upload));
      return respond(exchange, 201, stored, ({ attachment: { id, name, type, size } }) => ({
        attachment: { id, name, type, size },
      }));
    }),
    // It claims nothing, so only its media type is verified.
    route(api.readAttachment, async ({ session, id: attachmentId, query, requestId, more }) => {
      const asked = { attachmentId, reference: query.of };
      const file = await link.openFile(session, asked, new AbortController().signal);
      const headers = { ...more(), "content-type": file.mediaType };
      return fileAnswer(200, bodyOf(file, clock), requestId, headers);
    }),
    route(api.rateConversation, async (exchange) => {
      const { rating, proof } = await link.rate(exchange.session, exchange.body);
      return respond(exchange, 200, proof, () => ({ rating }));
    }),
    route(api.setContact, async (exchange) => {
      const contact = await link.setContact(exchange.session, exchange.body);
      return respond(exchange, 200, contact, ({ contact: { email } }) => ({ contact: { email } }));
    }),
    route(api.markRead, async (exchange) => {
      const read = await link.markRead(exchange.session, exchange.body.seq);
      return respond(exchange, 200, read, ({ read: { seq } }) => ({ read: { seq } }));
    }),
    route(api.tellTyping, async (exchange) => {
      const typing = await link.tellTyping(exchange.session);
      return respond(exchange, 200, typing, ({ typing: { conversationId } }) => ({
        typing: { conversationId },
      }));
    }),
    route(api.endConversation, async (exchange) => {
      const { id, proof } = await link.end(exchange.session);
      return respond(exchange, 200, proof, () => ({ conversation: { id, status: "ended" as const } }));
    }),
    route(api.eraseConversation, async (exchange) => {
      const erased = await link.erase(exchange.session);
      return respond(exchange, 200, erased, ({ erased: { conversationId } }) => ({
        erased: { conversationId },
      }));
    }),
  ];
}

/** Follows the events after `Last-Event-ID`, or from the beginning; a position that is gone gives a `reset`. */
async function openEvents(
  { link, streams }: ConversationDeps,
  { session, address, requestId, lastEventId, more }: Exchange<typeof api.streamEvents>,
): Promise<Response> {
  const reset = () => eventsAnswer(200, streams.reset(), requestId, more());
  const followed = await link.follow(session, lastEventId);
  if (followed === undefined) return reset();
  try {
    return eventsAnswer(200, await streams.open({ session, address, ...followed }), requestId, more());
  } catch (error) {
    // The service does not know this position or this conversation; reading again shows which.
    if (isRefused(error, 400) || isRefused(error, 404)) return reset();
    throw error;
  }
}
