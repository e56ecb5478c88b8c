import type { Handoff, OpeningHours, Wait } from "../../shared/handoff.ts";
import { isOpen, nextClosing, nextOpening } from "../routing/hours.ts";
import type { Session } from "../sessions/sessions.ts";
import type { LinkDeps } from "./link-deps.ts";
import { offers } from "./service.ts";

/**
 * What the customer learns of a hand-off that waits for a person. Adds when support opens, if its hours are known and it is
 * closed now. Leaves out the place in the queue of a service without events, which can't say when it changes.
 */
export function withWait(
  { routing, clock }: Pick<LinkDeps, "routing" | "clock">,
  session: Pick<Session, "capabilities">,
  handoff: Handoff,
): Handoff {
  if (handoff.status !== "requested") return handoff;
  const { wait, ...rest } = handoff;
  const { place, ...lasting } = wait ?? {};
  const { hours } = routing.read();
  const opening = hours && nextOpening(hours, clock.now());
  const known: Wait = {
    ...lasting,
    ...(place !== undefined && offers(session, "events") ? { place } : {}),
    ...(opening === undefined ? {} : { opensAt: new Date(opening).toISOString() }),
  };
  return Object.keys(known).length > 0 ? { ...rest, wait: known } : rest;
}

/** When support opens and closes next; undefined where its hours are not known, or it stays closed for a month. */
export function openingHours({
  routing,
  clock,
}: Pick<LinkDeps, "routing" | "clock">): OpeningHours | undefined {
  const { hours } = routing.read();
  const now = clock.now();
  if (hours === undefined) return undefined;
  const isOpenNow = isOpen(hours, now);
  const change = isOpenNow ? nextClosing(hours, now) : nextOpening(hours, now);
  if (change === undefined) return isOpenNow ? {} : undefined;
  const after = isOpenNow ? nextOpening(hours, change) : nextClosing(hours, change);
  const [opens, closes] = isOpenNow ? [after, change] : [change, after];
  return {
    ...(opens === undefined ? {} : { opensAt: new Date(opens).toISOString() }),
    ...(closes === undefined ? {} : { closesAt: new Date(closes).toISOString() }),
  };
}
