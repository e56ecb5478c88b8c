import { type DeskQueuePlace, DeskState, type DeskSummary } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { QUEUE_PAGE, type QueuePlace } from "../store/desk.ts";

const AFTER = /^(-?\d{1,15})\.(.+)$/;

/** Answered conversations come after all that wait, as in the store's index. */
const ANSWERED = 1e15;

/** The start of the next page of each state whose page is full. */
export function placesAfter(rows: readonly DeskSummary[]): DeskQueuePlace[] {
  return DeskState.options.flatMap((state) => {
    const page = rows.filter((row) => row.state === state);
    const last = page.at(-1);
    if (!last || page.length < QUEUE_PAGE) return [];
    return [{ state, after: `${orderOf(last)}.${last.id}` }];
  });
}

/** The order of a row among those of its state, as the store's index has it. */
function orderOf({ state, waitingSince, unansweredSince, lastAt }: DeskSummary): number {
  if (state === "waiting") return Date.parse(waitingSince ?? lastAt);
  if (state !== "taken") return -Date.parse(lastAt);
  return unansweredSince === undefined ? ANSWERED - Date.parse(lastAt) : Date.parse(unansweredSince);
}

/** The place that a request names by `state` and `after`; undefined without both. @throws Failure `bad_request` */
export function readPlace(state: string | undefined, after: string | undefined): QueuePlace | undefined {
  if (state === undefined && after === undefined) return undefined;
  const named = DeskState.safeParse(state);
  const [, order, id] = AFTER.exec(after ?? "") ?? [];
  if (named.success && Id.safeParse(id).success)
    return { state: named.data, order: Number(order), id: id ?? "" };
  throw new Failure("bad_request", { detail: "state, after: must be the `next` of an earlier page." });
}
