import type { IncomingHttpHeaders } from "node:http";

/** A server that asks for more patience is not asked again. */
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** So that processes that failed together do not come back together. */
const JITTER = 0.25;

/** Whether a server may be asked again after this status: its own header decides, then the status. */
export function isPassing(status: number, headers: IncomingHttpHeaders): boolean {
  const own = headers["x-should-retry"];
  if (own === "true") return true;
  if (own === "false") return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** How long the server asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function askedWait(headers: IncomingHttpHeaders, now: number): number | undefined {
  const ms = numberOf(headers["retry-after-ms"]);
  if (ms !== undefined) return ms;
  const after = headers["retry-after"];
  const seconds = numberOf(after);
  if (seconds !== undefined) return seconds * 1000;
  const at = Date.parse(after ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function numberOf(header: string | string[] | undefined): number | undefined {
  return typeof header === "string" && /^\d+(?:\.\d+)?$/.test(header) ? Number(header) : undefined;
}

/**
 * How long to wait before the next attempt, or undefined if the server asks for more than is useful.
 * @param random from 0 to 1
 */
export function retryDelay(attempt: number, asked: number | undefined, random: number): number | undefined {
  if (asked !== undefined) return asked < MAX_WAIT_MS ? asked : undefined;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_BACKOFF_MS);
  return wait * (1 - JITTER * random);
}
