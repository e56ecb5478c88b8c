import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import type { HistoryPage, HistoryPlace } from "../store/conversations.ts";

/** A page of past conversations as answers have it. */
export function historyPage({ conversations, next }: HistoryPage) {
  return { conversations, ...nextOf(next) };
}

/** The `next` of a page, if it is not the last one. */
export function nextOf(place: HistoryPlace | undefined): { next?: string } {
  return place ? { next: `${place.startedAt}.${place.id}` } : {};
}

/** The place that a request names by `after`; undefined without it. @throws Failure `bad_request` */
export function readHistoryPlace(after: string | undefined): HistoryPlace | undefined {
  if (after === undefined) return undefined;
  const [, startedAt, id] = /^(\d{1,15})\.(.+)$/.exec(after) ?? [];
  if (!Id.safeParse(id).success || id === undefined) {
    throw new Failure("bad_request", { detail: "after: must be the `next` of an earlier page." });
  }
  return { startedAt: Number(startedAt), id };
}
