import { isAnonymousId } from "../../shared/id.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A session ends after `idleMs` without use, and after `absoluteMs` at the latest. */
export const ANONYMOUS_LIFE = { idleMs: 24 * HOUR_MS, absoluteMs: 7 * DAY_MS } as const;
/** The site signs again while the customer is active, and each renewal restarts the time. */
export const IDENTIFIED_LIFE = { idleMs: HOUR_MS, absoluteMs: 12 * HOUR_MS } as const;

/** How long a pointer lives unused. An anonymous visitor finds it only by their session, which it outlives. */
export function pointerLifeOf(externalId: string): number {
  return isAnonymousId(externalId) ? ANONYMOUS_LIFE.absoluteMs + DAY_MS : 90 * DAY_MS;
}

/** A log outlives the pointer that leads to it. */
export function logLifeOf(externalId: string): number {
  return pointerLifeOf(externalId) + (isAnonymousId(externalId) ? 0 : DAY_MS);
}
