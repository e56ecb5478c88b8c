import type { Handoff } from "../../shared/handoff.ts";
import { createOneAtATime } from "../../shared/server/one-at-a-time.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import type { Session } from "../auth/session-token.ts";
import type { HandoffTask } from "../handoff/adapter.ts";
import { type AskedTarget, askTarget } from "../handoff/ask-target.ts";
import { readIdempotency } from "../http/idempotency-key.ts";
import type { Mount } from "../http/operation-route.ts";
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
    const store: StoreHandoff = (target) =>
      deps.answers.interrupting(conversationId, () =>
        deps.store.handoffs.request(
          caller,
          { ...request, adapter: target?.adapter, target: target?.ref },
          idempotency,
        ),
      );
    return oneAtATime(conversationId, async () => {
      const found = await deps.store.handoffs.check(caller, conversationId, idempotency);
      if (found.replay) return c.json(await answerOf(deps, caller, found.replay, conversationId), 201);
      const { workspaceId, externalId: customerExternalId } = caller;
      // If a hand-off is open, the store returns it, so no target is asked.
      const { handoff, created } = found.open
        ? await store()
        : await askAndStore(deps, found.adapter, { ...request, workspaceId, customerExternalId }, store);
      return c.json(await answerOf(deps, caller, handoff, conversationId), created ? 201 : 200);
    });
  });
}

type StoreHandoff = (target?: AskedTarget) => Promise<{ handoff: Handoff; created: boolean }>;

async function askAndStore(
  deps: RouteDeps,
  adapter: string | undefined,
  task: HandoffTask,
  store: StoreHandoff,
): ReturnType<StoreHandoff> {
  const { workspaceId, conversationId } = task;
  const target = await askTarget(deps, adapter, task);
  try {
    const stored = await store(target);
    if (!stored.created) await target.discard();
    else deps.relay.follow({ adapter: target.adapter, ref: target.ref, workspaceId, conversationId }, true);
    return stored;
  } catch (error) {
    await target.discard();
    throw error;
  }
}

/** The log's event names the person who accepted; this answer does not. */
async function answerOf(deps: RouteDeps, caller: Session, { id, status }: Handoff, conversationId: string) {
  const wait = await deps.store.handoffs.readWait(caller, conversationId);
  return { handoff: { id, status, conversationId, ...(wait ? { wait } : {}) } };
}
