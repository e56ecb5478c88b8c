import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { loopTurn } from "../../shared/server/loop-turn.ts";
import { DEFAULT_PAST, listConversations, MAX_PAST, searchConversations } from "../../shared/v1/history.ts";
import type { Mount } from "../http/operation-route.ts";
import type { HistoryPage, HistoryPlace } from "../store/conversations.ts";
import { readLimit } from "./messages.ts";
import type { RouteDeps } from "./route-deps.ts";

/** The customer's own conversations in pages: all of them, or those that contain a text. */
export function addHistoryRoutes(mount: Mount, { store }: RouteDeps): void {
  mount(listConversations, async ({ c, caller }) => {
    const { after, limit } = c.req.query();
    const place = after === undefined ? undefined : readPlace(after);
    const most = readLimit(limit, DEFAULT_PAST, MAX_PAST);
    await loopTurn();
    return c.json(pageOf(caller, await store.conversations.listOwn(caller, place, most)), 200);
  });
  mount(searchConversations, async ({ c, caller, body }) => {
    const { text, after, limit = DEFAULT_PAST } = body;
    const place = after === undefined ? undefined : readPlace(after);
    await loopTurn();
    const found = await store.conversations.searchOwn(caller, text, place, limit);
    return c.json({ ...pageOf(caller, found), text }, 200);
  });
}

function pageOf({ externalId }: { readonly externalId: string }, { conversations, next }: HistoryPage) {
  return {
    customer: { externalId },
    conversations,
    ...(next ? { next: `${next.startedAt}.${next.id}` } : {}),
  };
}

/** @throws Failure `bad_request` */
function readPlace(text: string): HistoryPlace {
  const [, startedAt, id] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  if (!Id.safeParse(id).success || id === undefined) {
    throw new Failure("bad_request", { detail: "after: must be the `next` of an earlier page." });
  }
  return { startedAt: Number(startedAt), id };
}
