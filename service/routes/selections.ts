import { Failure } from "../../shared/errors.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { supportSelection } from "../../shared/v1/support-selection.ts";
import type { Session } from "../auth/session-token.ts";
import type { Mount } from "../http/operation-route.ts";
import {
  SELECTION_TTL_SECONDS,
  type SelectedRoute,
  selectRoute,
  type Wish,
} from "../selection/select-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/**
 * Endpoints 3 and 4: who will answer new conversations. `userID` has no authority: the session identifies the caller.
 */
export function addSelectionRoutes(mount: Mount, deps: RouteDeps): void {
  mount(providerSelection, async ({ c, caller, body }) => {
    const route = await select(deps, caller, { agentProvider: body.provider }, body.locale);
    return c.json(
      { provider: route.agentProvider, reason: route.reason, ttlSeconds: SELECTION_TTL_SECONDS },
      200,
    );
  });

  mount(supportSelection, async ({ c, caller, body }) => {
    const route = await select(deps, caller, body, body.locale);
    return c.json({ ...route, ttlSeconds: SELECTION_TTL_SECONDS }, 200);
  });
}

/**
 * Returns the route of a conversation that starts now: what this session (or else this customer) selected last, as far
 * as it is still available, or the workspace's default.
 */
export async function routeForStart(
  deps: RouteDeps,
  session: Session,
): Promise<{ route: SelectedRoute; locale: string | undefined }> {
  const selected = await deps.store.customers.findSelection(session, session.sessionId);
  const route = await choose(deps, session, selected?.route ?? {});
  const stands =
    selected?.route.channel === route.channel &&
    selected.route.agentProvider === route.agentProvider &&
    selected.route.humanHandoffAdapter === route.humanHandoffAdapter;
  const reason = stands ? (selected.route.reason ?? route.reason) : route.reason;
  return { route: { ...route, reason }, locale: selected?.locale };
}

async function select(
  deps: RouteDeps,
  session: Session,
  wish: Wish,
  locale: string | undefined,
): Promise<SelectedRoute> {
  const route = await choose(deps, session, wish);
  await deps.store.customers.keepSelection(session, { sessionId: session.sessionId, route, locale });
  return route;
}

async function choose(deps: RouteDeps, session: Session, wish: Wish): Promise<SelectedRoute> {
  const workspace = await deps.store.workspaces.find(session.workspaceId);
  if (!workspace) throw new Failure("unauthenticated");
  const route = selectRoute(deps, workspace.enabled, wish);
  if (!route) {
    throw new Failure("unavailable", { detail: "No agent is enabled in this workspace. Try again later." });
  }
  return route;
}
