import { actionApprovals } from "../../shared/v1/action-approvals.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/**
 * The customer's answer to an action that the agent asked for. The 200 says that the answer is stored, not that anything was
 * done: that is an event of the log.
 */
export function addActionRoutes(mount: Mount, { actions }: Pick<RouteDeps, "actions">): void {
  mount(actionApprovals, async ({ c, caller, body, id }) => {
    await actions.answerAsCustomer(caller, id, body);
    return c.json({ action: { id: body.actionId, approved: body.approved } }, 200);
  });
}
