import { eraseConversation, markRead, rateConversation } from "../../shared/api/conversation.ts";
import { requireConversation } from "../conversations/current-conversation.ts";
import { takeUpAside } from "../conversations/linked-conversation.ts";
import { keepsOwnLog, logOf } from "../conversations/own-log.ts";
import { eraseServiceConversation, markServiceRead, rateServiceConversation } from "../upstream/aftercare.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, route } from "./exchange.ts";

/** Passes on what the customer says of the conversation, open or ended. */
export function createRateConversation(deps: RouteDeps) {
  return route(rateConversation, async (exchange) => {
    const { session, body } = exchange;
    const { externalId } = session.customer;
    return deps.locks.run(externalId, async () => {
      const current = requireConversation(await deps.pointers.read(externalId));
      const { conversationId, owner } = current;
      const rated = await deps.serviceTokens.lend(
        session,
        (serviceToken) => rateServiceConversation(deps.upstream, { serviceToken, conversationId }, body),
        owner,
      );
      const { score, comment } = rated.value.rating;
      const rating = comment === undefined ? { score } : { score, comment };
      if (keepsOwnLog(session)) {
        await deps.feeds.append(logOf(session, current), rated, [{ type: "conversation.rated", rating }]);
      }
      return respond(exchange, 200, rated, () => ({ rating }));
    });
  });
}

/** Passes on how far the customer has read. */
export function createMarkRead(deps: RouteDeps) {
  return route(markRead, async (exchange) => {
    const { session, body } = exchange;
    const { conversationId, owner } = requireConversation(
      await deps.pointers.read(session.customer.externalId),
    );
    const read = await deps.serviceTokens.lend(
      session,
      (serviceToken) => markServiceRead(deps.upstream, { serviceToken, conversationId }, body.seq),
      owner,
    );
    return respond(exchange, 200, read, ({ read: { seq } }) => ({ read: { seq } }));
  });
}

/**
 * Has the conversation erased for good. It is gone once the service verifiably said so; until then it is where it was, and
 * asking again is the same.
 */
export function createEraseConversation(deps: RouteDeps) {
  return route(eraseConversation, async (exchange) => {
    const { session } = exchange;
    const { externalId } = session.customer;
    return deps.locks.run(externalId, async () => {
      const { conversationId, owner } = requireConversation(await deps.pointers.read(externalId));
      // Whatever a refusal says, it is no proof: the conversation stays where it was, to be asked for again.
      const erased = await deps.serviceTokens.lend(
        session,
        (serviceToken) => eraseServiceConversation(deps.upstream, { serviceToken, conversationId }),
        owner,
      );
      await deps.pointers.change(externalId, {
        conversationId: undefined,
        status: "ended",
        epoch: undefined,
        owner: undefined,
        route: undefined,
        startedFor: undefined,
      });
      await takeUpAside(deps.pointers, externalId);
      return respond(exchange, 200, erased, ({ erased: { conversationId: id } }) => ({
        erased: { conversationId: id },
      }));
    });
  });
}
