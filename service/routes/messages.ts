import { Failure } from "../../shared/errors.ts";
import { DEFAULT_PAGE, MAX_PAGE, readMessages } from "../../shared/v1/messages.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/** The transcript after `?after=SEQ` in pages of `?limit=N`, with the position and the epoch from which the events go on. */
export function addMessageRoutes(mount: Mount, { store }: RouteDeps): void {
  mount(readMessages, async ({ c, caller, id }) => {
    const after = readPosition(c.req.query("after"));
    if (after === undefined)
      throw new Failure("bad_request", { detail: "after: must be a whole number from 0." });
    const limit = readLimit(c.req.query("limit"));
    const page = await store.conversations.readTranscript(caller, id, after, limit);
    return c.json({ ...page, epoch: store.epoch }, 200);
  });
}

/** A position in a log as a client writes it; 0 where it writes none. Undefined when it is not one. */
export function readPosition(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** @throws Failure `bad_request` */
function readLimit(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_PAGE : readPosition(text);
  if (limit !== undefined && limit > 0 && limit <= MAX_PAGE) return limit;
  throw new Failure("bad_request", { detail: `limit: must be a whole number from 1 to ${MAX_PAGE}.` });
}
