import { proposeSummary, sendSummary } from "../../shared/v1/summaries.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/** The summary of a hand-off: proposed to the customer, and sent to the team only by the customer. */
export function addSummaryRoutes(mount: Mount, { summaries }: Pick<RouteDeps, "summaries">): void {
  mount(proposeSummary, async ({ c, caller, id }) => {
    const proposal = await summaries.propose(caller, id);
    return c.json({ summary: { ...proposal, conversationId: id } }, 200);
  });

  mount(sendSummary, async ({ c, caller, body, id }) => {
    const summary = await summaries.send(caller, id, body);
    return c.json({ summary: { ...summary, conversationId: id } }, 200);
  });
}
