import {
  endConversation,
  linkConversation,
  reopenConversation,
  startConversation,
} from "../../shared/v1/conversations.ts";
import { readIdempotency } from "../http/idempotency-key.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";
import { routeForStart } from "./selections.ts";

/**
 * Endpoints 5 and 7, their opposite, and the link of an anonymous conversation to its customer. The session's selection decides the
 * route; a `providerId` sent with the request has no authority (contract), and the answer says which route applies.
 * Ending an ended conversation is 200 again and changes nothing.
 */
export function addConversationRoutes(mount: Mount, deps: RouteDeps): void {
  mount(startConversation, async ({ c, caller, body }) => {
    const { route, locale } = await routeForStart(deps, caller);
    const conversation = await deps.store.conversations.start(
      caller,
      { subject: body.subject, route, locale, startedFrom: body.startedFrom },
      // A retry from another page is still the same start.
      readIdempotency(c, { ...body, startedFrom: undefined }),
    );
    return c.json({ conversation }, 201);
  });

  mount(endConversation, async ({ c, caller, id }) => {
    const conversation = await deps.answers.interrupting(id, () => deps.store.conversations.end(caller, id));
    return c.json({ conversation }, 200);
  });

  mount(reopenConversation, async ({ c, caller, id }) =>
    c.json({ conversation: await deps.store.conversations.reopen(caller, id) }, 200),
  );

  mount(linkConversation, async ({ c, caller, body, id }) => {
    await deps.store.conversations.link(caller.workspace.id, id, body);
    deps.streams.endOf(id);
    deps.hub.touch(caller.workspace.id, id);
    return c.json({ conversation: { id, externalId: body.linkedTo } }, 200);
  });
}
