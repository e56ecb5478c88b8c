import type { Hono } from "hono";
import { Failure } from "../../shared/errors.ts";
import type { HandoffAdapter } from "../handoff/adapter.ts";
import type { ApplyInbound } from "../handoff/apply-inbound.ts";
import type { RequestFacts } from "../http/problems.ts";
import { readRaw } from "../http/raw-request.ts";

/**
 * `POST /hooks/handoff/ADAPTER`: what people did at a target. It answers after everything is stored, so a target that
 * repeats unanswered calls loses nothing. A call that can no longer be applied is also acknowledged, because repeating
 * it would not help.
 */
export function addHandoffHooks(
  app: Hono<RequestFacts>,
  deps: { readonly adapters: readonly HandoffAdapter[]; readonly applyInbound: ApplyInbound },
): void {
  app.post("/hooks/handoff/:adapter", async (c) => {
    const adapter = deps.adapters.find(({ id }) => id === c.req.param("adapter"));
    if (!adapter?.inbound) throw new Failure("not_found");
    const { events, answer = { received: events.length } } = await adapter.inbound(await readRaw(c.req.raw));
    for (const event of events) await deps.applyInbound(adapter.id, event);
    return c.json(answer);
  });
}
