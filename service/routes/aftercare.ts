import { setContact } from "../../shared/v1/contacts.ts";
import { eraseConversation } from "../../shared/v1/erasure.ts";
import { giveFeedback } from "../../shared/v1/feedback.ts";
import { rateConversation } from "../../shared/v1/ratings.ts";
import { markRead } from "../../shared/v1/reads.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/**
 * The calls for an open or an ended conversation: rate it, give feedback on an answer, leave an address, mark it as
 * read, erase it.
 */
export function addAftercareRoutes(mount: Mount, { store }: RouteDeps): void {
  mount(rateConversation, async ({ c, caller, body, id }) => {
    const rating = await store.conversations.rate(caller, id, body);
    return c.json({ rating: { ...rating, conversationId: id } }, 200);
  });

  mount(giveFeedback, async ({ c, caller, body, id }) => {
    await store.conversations.giveFeedback(caller, id, body);
    return c.json({ feedback: { ...body, conversationId: id } }, 200);
  });

  mount(setContact, async ({ c, caller, body, id }) => {
    await store.customers.setContact(caller, id, body);
    return c.json({ contact: { ...body, conversationId: id } }, 200);
  });

  mount(markRead, async ({ c, caller, body, id }) => {
    const seq = await store.conversations.markRead(caller, id, body.seq);
    return c.json({ read: { conversationId: id, seq } }, 200);
  });

  mount(eraseConversation, async ({ c, caller, id }) => {
    await store.erasure.eraseConversation(caller, id);
    return c.json({ erased: { conversationId: id } }, 200);
  });
}
