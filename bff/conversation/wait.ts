import { defined } from "../../shared/defined.ts";
import type { Handoff, OpeningHours, Wait } from "../../shared/handoff.ts";
import { isOpen, nextClosing, nextOpening } from "../routing/hours.ts";
import type { Session } from "../sessions/sessions.ts";
import type { LinkDeps } from "./link-deps.ts";
import { offers } from "./service.ts";

/**
 * The part of a waiting hand-off that the customer sees. Adds when support opens, if its hours are known and it is
 * closed now. Leaves out the place in the queue of a service without events, which can't say when it changes.
 */
export function withWait(
  { routing, clock }: Pick<LinkDeps, "routing" | "clock">,
  session: Pick<Session, "capabilities">,
  handoff: Handoff,
): Handoff {
  if (handoff.status !== "requested") return handoff;
  const { wait: { place, ...lasting } = {}, ...rest } = handoff;
  const { hours } = routing;
  const known: Wait = defined({
    ...lasting,
    place: offers(session, "events") ? place : undefined,
    opensAt: dateOf(hours && nextOpening(hours, clock.now())),
  });
  return Object.keys(known).length > 0 ? { ...rest, wait: known } : rest;
}

/** When support opens and closes next; undefined where its hours are not known, or it stays closed for a month. */
export function openingHours({
  routing,
  clock,
}: Pick<LinkDeps, "routing" | "clock">): OpeningHours | undefined {
  const { hours } = routing;
  if (hours === undefined) return undefined;
  const now = clock.now();
  // One of the two comes next, and the other one after it.
  const [opens, closes] = [nextOpening(hours, now), nextClosing(hours, now)];
  const change = opens ?? closes;
  if (change === undefined) return isOpen(hours, now) ? {} : undefined;
  const [opensAt, closesAt] = [opens ?? nextOpening(hours, change), closes ?? nextClosing(hours, change)];
  return defined({ opensAt: dateOf(opensAt), closesAt: dateOf(closesAt) });
}

function dateOf(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : new Date(instant).toISOString();
}
