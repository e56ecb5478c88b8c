import type { Random } from "../../shared/server/random.ts";

/** A request's place in a trace (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_CHARACTERS = 256;

/** Parses a `traceparent` header strictly. Returns undefined for an invalid one, of which nothing is passed on. */
export function parseTraceparent(header: string | undefined): Trace | undefined {
  if (header === undefined || header.length > MAX_CHARACTERS) return undefined;
  const [, version, traceId, spanId, flags, rest] = header.match(TRACEPARENT) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Only a future version may have more fields.
  if (version === "00" && rest !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Starts a trace. */
export function newTrace(random: Random): Trace {
  const digits = hex(random(24));
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32), isSampled: true };
}

/** Returns a new span of a trace. */
export function childOf(trace: Trace, random: Random): Trace {
  return { ...trace, spanId: hex(random(8)) };
}

export function traceparentOf({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}
