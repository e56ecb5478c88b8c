import * as z from "zod/mini";
import { atMost } from "./text.ts";

/** An id that is safe in a path: no slash, no dot segment, no percent, no query, at most 128 characters. */
const PATH_SAFE = /^(?!\.{1,2}$)[A-Za-z0-9._~:-]{1,128}$/;

/** As `Id`, where a whole schema would cost more than the check. */
export const isId = (value: unknown): value is string => typeof value === "string" && PATH_SAFE.test(value);

export const Id = z.string().check(z.regex(PATH_SAFE, "must be 1 to 128 of A-Z a-z 0-9 . _ ~ : -"));

/** The id that a client creates for one message: the idempotency key from the composer to the row. */
export const ClientMessageId = Id;

/** The customer's immutable primary key (contract, "GIVEN"); opaque, hence any printable characters. */
export const ExternalId = z.string().check(
  z.minLength(1),
  atMost(255),
  z.regex(/^\P{Cc}*$/u, "must not hold control characters"),
  z.refine(
    (id) => id.isWellFormed() && id.trim() === id,
    "must be well-formed, without white space around it",
  ),
);

/** The prefix of an `externalId` that the BFF created for a visitor whom no site identified. */
export const ANONYMOUS_PREFIX = "anon_";

export function isAnonymousId(externalId: string): boolean {
  return externalId.startsWith(ANONYMOUS_PREFIX);
}

/** ISO 8601 with its zone. Ours are in UTC, as `Date.prototype.toISOString` writes them. */
export const Instant = z.iso.datetime({ offset: true });

/** Position in one conversation's event log: 1 is the first event. */
export const Seq = z.int().check(z.positive());
