import { answerAction, requestHandoff } from "../../shared/api/conversation.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, respondKnown, route } from "./exchange.ts";

/** Asks for a person. */
export function createRequestHandoff({ link }: Pick<RouteDeps, "link">) {
  return route(requestHandoff, async (exchange) => {
    const { handoff, proof } = await link.requestHandoff(exchange.session, exchange.body);
    return respond(exchange, 201, proof, () => ({ handoff }));
  });
}

/** Passes on whether the customer allows what the agent asked permission for. */
export function createAnswerAction({ link }: Pick<RouteDeps, "link">) {
  return route(answerAction, async (exchange) => {
    const { actionId, approved } = exchange.body;
    const { proof } = await link.answerAction(exchange.session, { actionId, approved });
    return respondKnown(exchange, 200, proof, { action: { actionId, approved } });
  });
}
