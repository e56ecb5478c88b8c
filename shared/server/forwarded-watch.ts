import type { Log } from "./log.ts";

/** The headers that proxies add to a request: the address that they received it from. */
const FORWARDED = ["x-forwarded-for", "forwarded", "x-real-ip"];

const ARRIVED =
  "Forwarded addresses arrive, and TRUSTED_PROXIES is unset: all visitors share the limits of one address. Set it to the number of proxies in front, or to 0 if there is none.";

/**
 * Notices the first request with a forwarded address while `TRUSTED_PROXIES` is unset, and logs it once. A set one is the
 * operator's decision, also if it is 0.
 */
export function createForwardedWatch(isUnset: boolean, log: Log) {
  let hasArrived = false;
  return {
    see(headers: Headers): void {
      if (!isUnset || hasArrived || !FORWARDED.some((name) => headers.has(name))) return;
      hasArrived = true;
      log.warn({}, ARRIVED);
    },
    /** Notes for an operator, one sentence each. */
    notes: (): readonly string[] => (hasArrived ? [ARRIVED] : []),
  };
}

/** Warns before the first request if a proxy must be in front, because this server does not speak TLS. */
export function proxyWarnings(publicUrl: string | undefined, isUnset: boolean): readonly string[] {
  if (publicUrl === undefined || !isUnset) return [];
  return [
    "PUBLIC_URL is set, so a proxy is in front, and TRUSTED_PROXIES is unset: all visitors share the limits of one address. Set it to the number of proxies.",
  ];
}
