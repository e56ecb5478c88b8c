import { answerAction } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { learnEnd, requireOpenConversation } from "../conversations/current-conversation.ts";
import { keepsOwnLog, logOf } from "../conversations/own-log.ts";
import { factsOf } from "../feeds/feed-snapshot.ts";
import { answerServiceAction } from "../upstream/conversations.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, respondOwn, route } from "./exchange.ts";

/**
 * Passes on whether the customer allows what the agent asked leave for. It counts once the service verifiably took it; an
 * action is answered once, and one that nobody asked for is not passed on.
 */
export function createAnswerAction(deps: RouteDeps) {
  return route(answerAction, async (exchange) => {
    const { session, body } = exchange;
    const { externalId } = session.customer;
    const { actionId, approved } = body;
    return deps.locks.run(externalId, async () => {
      const current = requireOpenConversation(await deps.pointers.read(externalId));
      const { conversationId, owner } = current;
      const own = keepsOwnLog(session) ? logOf(session, current) : undefined;
      if (own) {
        const { actions = [] } = factsOf(await deps.feeds.read(own, 0));
        const asked = actions.find((action) => action.actionId === actionId);
        if (!asked) throw new Failure("not_found");
        if (asked.approved === approved) return respondOwn(exchange, { action: { actionId, approved } });
        if (asked.approved !== undefined) throw new Failure("key_reused");
      }
      try {
        const answered = await deps.serviceTokens.lend(
          session,
          (serviceToken) =>
            answerServiceAction(deps.upstream, { serviceToken, conversationId, actionId, approved }),
          owner,
        );
        if (own) await deps.feeds.append(own, answered, [{ type: "action.answered", actionId, approved }]);
        return respond(exchange, 200, answered, () => ({ action: { actionId, approved } }));
      } catch (error) {
        throw await learnEnd(error, deps.pointers, externalId, conversationId);
      }
    });
  });
}
