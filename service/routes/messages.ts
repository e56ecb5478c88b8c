import { Failure } from "../../shared/errors.ts";
import { loopTurn } from "../../shared/server/loop-turn.ts";
import { DEFAULT_PAGE, DEFAULT_PAGE_BEFORE, MAX_PAGE, readMessages } from "../../shared/v1/messages.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/** The transcript after `?after=SEQ`, or before `?before=SEQ`, in pages of `?limit=N`, with the position and the epoch from which the events go on. */
export function addMessageRoutes(mount: Mount, { store }: RouteDeps): void {
  mount(readMessages, async ({ c, caller, id }) => {
    const { after, before, limit: asked } = c.req.query();
    const limit = readLimit(asked, before === undefined ? DEFAULT_PAGE : DEFAULT_PAGE_BEFORE);
    const position =
      before === undefined ? requirePosition("after", after, 0) : requirePosition("before", before, 1);
    await loopTurn();
    const page =
      before === undefined
        ? await store.conversations.readTranscript(caller, id, position, limit)
        : await store.conversations.readTranscriptBefore(caller, id, position, limit);
    const { handoff } = page.conversation;
    const wait = handoff?.status === "requested" && (await store.handoffs.readWait(caller, id));
    if (!wait) return c.json({ ...page, epoch: store.epoch }, 200);
    const conversation = { ...page.conversation, handoff: { ...handoff, wait } };
    return c.json({ ...page, conversation, epoch: store.epoch }, 200);
  });
}

export const POSITION = /^\d{1,16}$/;

/** Parses a position in a log; 0 when the client sends none, undefined when it is invalid. */
export function readPosition(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  const position = POSITION.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(position) ? position : undefined;
}

/** @throws Failure `bad_request` */
function requirePosition(name: string, text: string | undefined, least: number): number {
  const position = readPosition(text);
  if (position !== undefined && position >= least) return position;
  throw new Failure("bad_request", { detail: `${name}: must be a whole number from ${least}.` });
}

/** @throws Failure `bad_request` */
export function readLimit(text: string | undefined, usual: number, most = MAX_PAGE): number {
  const limit = text === undefined ? usual : readPosition(text);
  if (limit !== undefined && limit > 0 && limit <= most) return limit;
  throw new Failure("bad_request", { detail: `limit: must be a whole number from 1 to ${most}.` });
}
