import type { SessionState } from "../../shared/api/session.ts";
import type { Session } from "../sessions/sessions.ts";
import type { RouteDeps } from "./deps.ts";

/** What the panel is told of a session: an explicit list of fields (R31). */
export function stateOf(
  { sessions }: Pick<RouteDeps, "sessions">,
  session: Session,
  token: string,
  conversation: SessionState["conversation"],
): SessionState {
  const { customer, route, capabilities } = session;
  const { externalId, displayName, identified } = customer;
  return {
    token,
    expiresAt: new Date(sessions.expiresAt(session)).toISOString(),
    customer: { externalId, ...(displayName === undefined ? {} : { displayName }), identified },
    route,
    capabilities: [...capabilities],
    conversation,
  };
}
