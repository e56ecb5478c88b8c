import type { Handoff } from "../../shared/handoff.ts";
import { errorFacts } from "../../shared/server/log.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import type { Session } from "../auth/session-token.ts";
import { prepareTarget } from "../handoff/prepare-target.ts";
import { readIdempotency } from "../http/idempotency-key.ts";
import type { Mount } from "../http/operation-route.ts";
import type { HandoffRequest } from "../store/handoffs.ts";
import type { Idempotency } from "../store/idempotency.ts";
import type { RouteDeps } from "./route-deps.ts";

/**
 * Endpoint 6. The target is prepared first and the handoff commits at once; if the target fails nothing is written and
 * the agent keeps the conversation. Asking while one is open gives that one back (200).
 */
export function addHandoffRoutes(mount: Mount, deps: RouteDeps): void {
  mount(requestHandoff, async ({ c, caller, body }) => {
    deps.gate.requireHandoffSecret(c.req.raw.headers);
    const request = {
      conversationId: body.conversationId,
      reason: body.reason,
      currentIntent: body.currentIntent,
      transcript: body.transcript,
    };
    const idempotency = readIdempotency(c, body);
    const found = await deps.store.handoffs.check(caller, body.conversationId, idempotency);
    if (found.replay) return c.json(answerOf(found.replay, body.conversationId), 201);
    const { handoff, created } = found.open
      ? await keep(deps, caller, request, undefined, idempotency)
      : await prepareAndCommit(deps, caller, request, found.adapter, idempotency);
    return c.json(answerOf(handoff, body.conversationId), created ? 201 : 200);
  });
}

async function prepareAndCommit(
  deps: RouteDeps,
  caller: Session,
  request: HandoffRequest,
  adapter: string | undefined,
  idempotency: Idempotency | undefined,
): Promise<{ handoff: Handoff; created: boolean }> {
  const target = await prepareTarget(deps, adapter, {
    ...request,
    workspaceId: caller.workspaceId,
    customerExternalId: caller.externalId,
  });
  const discard = () =>
    target.discard().catch((error: unknown) => {
      deps.log.warn({ adapter, ...errorFacts(error) }, "a prepared handoff target could not be given back");
    });
  try {
    const kept = await keep(deps, caller, request, adapter, idempotency);
    if (!kept.created) await discard();
    return kept;
  } catch (error) {
    await discard();
    throw error;
  }
}

function keep(
  deps: RouteDeps,
  caller: Session,
  request: HandoffRequest,
  adapter: string | undefined,
  idempotency: Idempotency | undefined,
): Promise<{ handoff: Handoff; created: boolean }> {
  return deps.answers.interrupting(request.conversationId, () =>
    deps.store.handoffs.request(caller, { ...request, adapter }, idempotency),
  );
}

function answerOf(handoff: Handoff, conversationId: string) {
  return { handoff: { ...handoff, conversationId } };
}
