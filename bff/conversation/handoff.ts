import { defined } from "../../shared/defined.ts";
import type { Handoff, OpeningHours, Wait } from "../../shared/handoff.ts";
import { handoffStatusOf, requestHandoff } from "../../shared/v1/handoffs.ts";
import { isOpen, nextChange } from "../routing/hours.ts";
import type { CurrentConversation } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Verified } from "../upstream/verified.ts";
import type { LinkDeps } from "./link-deps.ts";
import { endLearned } from "./refusal.ts";
import { idempotencyKey } from "./send.ts";
import { offers } from "./service.ts";

export type AskedHandoff = Verified<{ readonly handoff: Handoff }>;

/** Asks for a person in an open conversation. The caller holds the customer's lock. */
export async function askForPerson(
  deps: LinkDeps,
  session: Session,
  { conversationId, handoffs }: CurrentConversation,
  { reason, summary }: { readonly reason?: string | undefined; readonly summary?: string | undefined },
): Promise<AskedHandoff> {
  const request = { conversationId, reason, currentIntent: summary };
  const key = idempotencyKey("handoff", conversationId, handoffs + 1, reason, summary);
  const proof = await deps.service
    .call(session, requestHandoff, { request, idempotencyKey: key })
    .catch(endLearned(deps, session, conversationId));
  // The next request needs another key: after a person handed back, the old answer would be false.
  await deps.pointers.changeAt(session.customer.externalId, conversationId, (now) => ({
    ...now,
    handoffs: handoffs + 1,
  }));
  return proof.as(({ handoff: { id, status, wait } }) => ({
    handoff: withWait(deps, session, { id, status: handoffStatusOf(status), wait }),
  }));
}

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
  const now = clock.now();
  const known: Wait = defined({
    ...lasting,
    place: offers(session, "events") ? place : undefined,
    opensAt: hours && !isOpen(hours, now) ? dateOf(nextChange(hours, now)) : undefined,
  });
  return Object.keys(known).length > 0 ? { ...rest, wait: known } : rest;
}

/** When support opens and closes next; undefined if its hours are not known, or if it stays closed for a month. */
export function openingHours({
  routing,
  clock,
}: Pick<LinkDeps, "routing" | "clock">): OpeningHours | undefined {
  const { hours } = routing;
  if (hours === undefined) return undefined;
  const now = clock.now();
  const isOpenNow = isOpen(hours, now);
  const change = nextChange(hours, now);
  if (change === undefined) return isOpenNow ? {} : undefined;
  const [first, second] = [dateOf(change), dateOf(nextChange(hours, change))];
  return defined(isOpenNow ? { closesAt: first, opensAt: second } : { opensAt: first, closesAt: second });
}

function dateOf(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : new Date(instant).toISOString();
}
