import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import * as api from "../../shared/api/conversation.ts";
import * as history from "../../shared/api/history.ts";
import { eventsHeaders, fileAnswer } from "../gate/answers.ts";
import type { Parts } from "../parts.ts";
import { isRefused } from "../upstream/failure.ts";
import { bodyOf } from "../upstream/files.ts";
import { claim, type Exchange, type Route, requireCarried, respondOwn, route } from "./exchange.ts";

/** A message with files is sent only to a service that takes files. */
function requireFilesCarried({ session, body }: Pick<Exchange<typeof api.sendMessage>, "session" | "body">) {
  if (body.attachments !== undefined) requireCarried(session, api.uploadAttachment);
}

/** What a customer does with their conversation. */
export function conversationRoutes(deps: Parts): readonly Route[] {
  const { link, limits, clock } = deps;
  return [
    claim(api.startConversation, 201, (exchange) => {
      requireFilesCarried(exchange);
      return link.start(exchange.session, exchange.body);
    }),
    claim(api.sendMessage, 201, (exchange) => {
      requireFilesCarried(exchange);
      return link.send(exchange.session, exchange.body);
    }),
    // As in a resume, the page was verified, and what is shown of it has the same fields.
    route(api.readEarlier, async (exchange) =>
      respondOwn(exchange, await link.readEarlier(exchange.session, exchange.query.before)),
    ),
    claim(history.listConversations, 200, ({ session, query }) => link.listOwn(session, query.after)),
    route(history.readPast, async (exchange) => {
      const { of, before } = exchange.query;
      return respondOwn(exchange, await link.readPast(exchange.session, of, before));
    }),
    claim(history.searchConversations, 200, async ({ session, body }) =>
      (await link.searchOwn(session, body)).as((page) => ({ ...page, text: body.text })),
    ),
    // The BFF itself records which conversation the panel shows. Everything that the panel then reads of it is
    // verified.
    route(history.continueConversation, async (exchange) => {
      const id = await link.continuePast(exchange.session, exchange.body.of);
      return respondOwn(exchange, { conversation: { id } });
    }),
    route(api.streamEvents, (exchange) => openEvents(deps, exchange)),
    claim(api.requestHandoff, 201, ({ session, body, query }) => link.requestHandoff(session, body, query)),
    claim(api.proposeSummary, 200, ({ session }) => link.proposeSummary(session)),
    claim(api.sendSummary, 200, ({ session, body }) => link.sendSummary(session, body)),
    claim(api.answerAction, 200, async ({ session, body }) =>
      (await link.answerAction(session, body)).as(() => ({ action: body })),
    ),
    claim(api.uploadAttachment, 201, (exchange) =>
      limits.upload(exchange, () => link.storeFile(exchange.session, exchange.upload)),
    ),
    // It claims nothing, so only its media type is verified.
    route(api.readAttachment, async ({ session, id: attachmentId, query, requestId, more }) => {
      const file = await link.openFile(session, attachmentId, query.of);
      const headers = { ...more(), "content-type": file.mediaType };
      return fileAnswer(200, bodyOf(file, clock), requestId, headers);
    }),
    claim(api.rateConversation, 200, ({ session, body, query }) => link.rate(session, body, query)),
    claim(api.giveFeedback, 200, ({ session, body }) => link.giveFeedback(session, body)),
    claim(api.setContact, 200, ({ session, body, query }) => link.setContact(session, body, query)),
    claim(api.markRead, 200, ({ session, body, query }) => link.markRead(session, body, query)),
    claim(api.tellTyping, 200, ({ session }) => link.tellTyping(session)),
    claim(api.endConversation, 200, ({ session, query }) => link.end(session, query)),
    claim(api.eraseConversation, 200, ({ session, query }) => link.erase(session, query)),
  ];
}

/** Follows the events after `Last-Event-ID`, or from the beginning; a position that is gone gives a `reset`. */
async function openEvents(
  { link, streams }: Parts,
  { session, address, outgoing, requestId, lastEventId, more }: Exchange<typeof api.streamEvents>,
): Promise<Response> {
  const answer = { outgoing, headers: eventsHeaders(requestId, more()) };
  const followed = await link.follow(session, lastEventId);
  try {
    if (followed) {
      await streams.open({ session, address, ...answer, ...followed });
      // Moving to another conversation closes the session's streams, but may have come before this one was opened. If the
      // store can't say, the stream stays open.
      if (!(await followed.isCurrent().catch(() => true))) streams.closeSession(session.id);
    } else streams.reset(answer);
  } catch (error) {
    // The service does not know this position or this conversation; reading again shows which.
    if (!isRefused(error, 400, 404)) throw error;
    streams.reset(answer);
  }
  return RESPONSE_ALREADY_SENT;
}
