import { Failure } from "../../shared/errors.ts";
import { tellTyping } from "../../shared/v1/typing.ts";
import type { Mount } from "../http/operation-route.ts";
import { createTyping } from "../live/typing.ts";
import type { RouteDeps } from "./route-deps.ts";

/** Beyond the end of any log. */
const END = Number.MAX_SAFE_INTEGER;

/** Shows current subscribers that a customer is typing; nothing is stored. */
export function addTypingRoutes(mount: Mount, deps: RouteDeps): void {
  const typing = createTyping(deps);

  mount(tellTyping, async ({ c, caller, id }) => {
    const { conversation } = await deps.store.conversations.readTranscript(caller, id, END, 1);
    if (conversation.status === "ended") throw new Failure("conversation_ended");
    typing.tell({ workspaceId: caller.workspaceId, conversationId: id, role: "customer" });
    return c.json({ typing: { conversationId: id } }, 200);
  });
}
