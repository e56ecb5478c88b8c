import type { DeskPresence } from "../../shared/desk.ts";
import { readCustomer } from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import { DEFAULT_PAST } from "../../shared/v1/history.ts";
import { nextOf, readHistoryPlace } from "../http/history-page.ts";
import type { DeskDeps } from "./desk-deps.ts";
import type { DeskMount } from "./desk-route.ts";

/** The page of one customer, of the workspace that the session names. */
export function addCustomerPage(mount: DeskMount, deps: DeskDeps): void {
  mount(readCustomer, async ({ c, params }) => {
    const target = { workspaceId: c.get("session").user.workspaceId, customerId: params.id };
    const after = readHistoryPlace(c.req.query("after"));
    const page = await deps.store.desk.readCustomer(target, after, DEFAULT_PAST);
    if (!page) throw new Failure("not_found");
    if (!("conversations" in page)) return page;
    const { next, ...facts } = page;
    return { ...facts, ...presenceOf(deps, page.conversations), ...nextOf(next) };
  });
}

/** There, if any of these conversations is open somewhere; otherwise when they last left one. */
function presenceOf(
  { presence }: Pick<DeskDeps, "presence">,
  conversations: readonly { readonly id: string }[],
): { presence?: DeskPresence } {
  const known = conversations.flatMap(({ id }) => presence.of(id) ?? []);
  const times = known.flatMap((each) => (each.online ? [] : [each.lastSeenAt])).toSorted();
  const [lastSeenAt] = times.slice(-1);
  if (known.some(({ online }) => online)) return { presence: { online: true } };
  return lastSeenAt === undefined ? {} : { presence: { online: false, lastSeenAt } };
}
