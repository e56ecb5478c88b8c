import { identify } from "../../shared/v1/identify.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/** Endpoints 1 and 2: identifies the customer, and opens a session for them. */
export function addCustomerRoutes(mount: Mount, { store, tokens }: RouteDeps): void {
  mount(identify, async ({ c, caller, body }) => {
    const customer = await store.customers.upsert(caller.workspace.id, body);
    return c.json({ customer }, 200);
  });

  mount(sessions, async ({ c, caller, body }) => {
    const workspaceId = caller.workspace.id;
    const customer = await store.customers.upsert(workspaceId, body);
    return c.json(await tokens.issue({ workspaceId, ...customer }), 201);
  });
}
