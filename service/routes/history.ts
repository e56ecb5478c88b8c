import { loopTurn } from "../../shared/server/loop-turn.ts";
import { DEFAULT_PAST, listConversations, MAX_PAST, searchConversations } from "../../shared/v1/history.ts";
import { historyPage, readHistoryPlace } from "../http/history-page.ts";
import type { Mount } from "../http/operation-route.ts";
import { readLimit } from "./messages.ts";
import type { RouteDeps } from "./route-deps.ts";

/** The customer's own conversations in pages: all of them, or those that contain a text. */
export function addHistoryRoutes(mount: Mount, { store }: RouteDeps): void {
  mount(listConversations, async ({ c, caller }) => {
    const { after, limit } = c.req.query();
    const place = readHistoryPlace(after);
    const most = readLimit(limit, DEFAULT_PAST, MAX_PAST);
    await loopTurn();
    const page = historyPage(await store.conversations.listOwn(caller, place, most));
    return c.json({ customer: { externalId: caller.externalId }, ...page }, 200);
  });
  mount(searchConversations, async ({ c, caller, body }) => {
    const { text, after, limit = DEFAULT_PAST } = body;
    const place = readHistoryPlace(after);
    await loopTurn();
    const page = historyPage(await store.conversations.searchOwn(caller, text, place, limit));
    return c.json({ customer: { externalId: caller.externalId }, ...page, text }, 200);
  });
}
