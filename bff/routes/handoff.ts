import { answerAction, requestHandoff } from "../../shared/api/conversation.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, route } from "./exchange.ts";

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
    const answered = await link.answerAction(exchange.session, { actionId, approved });
    return respond(exchange, 200, answered, () => ({ action: { actionId, approved } }));
  });
}
