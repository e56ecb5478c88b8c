import type { Handoff } from "../../shared/handoff.ts";
import { createOneAtATime } from "../../shared/server/one-at-a-time.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import type { Session } from "../auth/session-token.ts";
import { askTarget } from "../handoff/ask-target.ts";
import { readIdempotency } from "../http/idempotency-key.ts";
import type { Mount } from "../http/operation-route.ts";
import type { HandoffRequest } from "../store/handoffs.ts";
import type { Idempotency } from "../store/idempotency.ts";
import type { RouteDeps } from "./route-deps.ts";

/**
 * Endpoint 6. The target has the conversation before the hand-off is stored. If the target fails, nothing is stored and
 * the agent keeps the conversation. While a hand-off is open, another request returns that hand-off (200).
 */
export function addHandoffRoutes(mount: Mount, deps: RouteDeps): void {
  // Two concurrent requests would ask two people.
  const oneAtATime = createOneAtATime();
  mount(requestHandoff, async ({ c, caller, body }) => {
    deps.gate.requireHandoffSecret(c.req.raw.headers);
    const { conversationId, reason, currentIntent, transcript } = body;
    const request = { conversationId, reason, currentIntent, transcript };
    const idempotency = readIdempotency(c, body);
    return oneAtATime(conversationId, async () => {
      const found = await deps.store.handoffs.check(caller, conversationId, idempotency);
      if (found.replay) return c.json(await answerOf(deps, caller, found.replay, conversationId), 201);
      // If a hand-off is open, the store returns it, so no target is asked.
      const { handoff, created } = found.open
        ? await storeHandoff(deps, caller, request, undefined, idempotency)
        : await askAndStore(deps, caller, request, found.adapter, idempotency);
      return c.json(await answerOf(deps, caller, handoff, conversationId), created ? 201 : 200);
    });
  });
}

interface Stored {
  readonly handoff: Handoff;
  readonly created: boolean;
}

async function askAndStore(
  deps: RouteDeps,
  caller: Session,
  request: HandoffRequest,
  adapter: string | undefined,
  idempotency: Idempotency | undefined,
): Promise<Stored> {
  const { workspaceId, externalId } = caller;
  const asked = await askTarget(deps, adapter, { ...request, workspaceId, customerExternalId: externalId });
  try {
    const target = adapter === undefined ? undefined : { adapter, ref: asked.ref };
    const stored = await storeHandoff(deps, caller, request, target, idempotency);
    if (!stored.created) await asked.discard();
    else if (target)
      deps.relay.follow({ ...target, workspaceId, conversationId: request.conversationId }, true);
    return stored;
  } catch (error) {
    await asked.discard();
    throw error;
  }
}

function storeHandoff(
  deps: RouteDeps,
  caller: Session,
  request: HandoffRequest,
  target: { adapter: string; ref: string } | undefined,
  idempotency: Idempotency | undefined,
): Promise<Stored> {
  const { adapter, ref } = target ?? {};
  return deps.answers.interrupting(request.conversationId, () =>
    deps.store.handoffs.request(caller, { ...request, adapter, target: ref }, idempotency),
  );
}

/** The log's event names the person who accepted; this answer does not. */
async function answerOf(deps: RouteDeps, caller: Session, { id, status }: Handoff, conversationId: string) {
  const wait = await deps.store.handoffs.readWait(caller, conversationId);
  return { handoff: { id, status, conversationId, ...(wait ? { wait } : {}) } };
}
