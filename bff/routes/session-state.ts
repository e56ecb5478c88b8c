import type { SessionState } from "../../shared/api/session.ts";
import { carried } from "../conversations/carried.ts";
import { routeNow } from "../conversations/current-conversation.ts";
import type { Session } from "../sessions/sessions.ts";
import type { RouteDeps } from "./deps.ts";

/** What the panel is told of a session: an explicit list of fields. An open conversation has its own route (CONV1). */
export async function stateOf(
  { sessions, pointers }: Pick<RouteDeps, "sessions" | "pointers">,
  session: Session,
  token: string,
  conversation: SessionState["conversation"],
): Promise<SessionState> {
  const { customer } = session;
  const { externalId, displayName, identified } = customer;
  const pointer = await pointers.read(externalId);
  return {
    token,
    expiresAt: new Date(sessions.expiresAt(session)).toISOString(),
    customer: { externalId, ...(displayName === undefined ? {} : { displayName }), identified },
    route: routeNow(pointer, session),
    capabilities: carried(session),
    conversation,
  };
}
