import { type DeskQueuePlace, DeskState, type DeskSummary } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { QUEUE_PAGE, type QueuePlace } from "../store/desk.ts";

const AFTER = /^(\d{1,15})\.(.+)$/;

/** Where the next page of each state starts, for states whose page is full. */
export function placesAfter(rows: readonly DeskSummary[]): DeskQueuePlace[] {
  return DeskState.options.flatMap((state) => {
    const page = rows.filter((row) => row.state === state);
    const last = page.at(-1);
    if (!last || page.length < QUEUE_PAGE) return [];
    return [{ state, after: `${Date.parse(last.waitingSince ?? last.lastAt)}.${last.id}` }];
  });
}

/** The place that a request names by `state` and `after`; undefined without both. @throws Failure `bad_request` */
export function readPlace(state: string | undefined, after: string | undefined): QueuePlace | undefined {
  if (state === undefined && after === undefined) return undefined;
  const named = DeskState.safeParse(state);
  const [, at, id] = AFTER.exec(after ?? "") ?? [];
  if (named.success && Id.safeParse(id).success) return { state: named.data, at: Number(at), id: id ?? "" };
  throw new Failure("bad_request", { detail: "state, after: must be what `next` of another page says." });
}
