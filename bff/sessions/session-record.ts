import * as z from "zod/mini";
import { Capability } from "../../shared/capability.ts";
import { ExternalId } from "../../shared/id.ts";
import { Route } from "../../shared/route.ts";
import { Traits } from "../../shared/traits.ts";

const Millis = z.int().check(z.nonnegative());
const Text = z.string().check(z.maxLength(4096));

/** What a selection was requested with, and how long it is valid. */
const Selected = z.object({
  /** When it was requested, in milliseconds since 1970. */
  at: Millis,
  ttlSeconds: z.number(),
  /** Hash of what it was requested with, the service's session token included. */
  asked: z.optional(Text),
});

const SignedFacts = z.object({
  email: z.exactOptional(Text),
  locale: z.exactOptional(Text),
  emailVerified: z.boolean(),
  traits: Traits,
});

const SessionFacts = z.object({
  customer: z.object({
    externalId: ExternalId,
    displayName: z.exactOptional(Text),
    identified: z.boolean(),
  }),
  /** The route of new conversations, as the service last selected it; a running conversation has its own route. */
  route: Route,
  /** Present if the service has only the older, combined selection. */
  providerId: z.optional(Text),
  /** How `route` was requested. Without it the service is asked again. */
  selected: z.exactOptional(Selected),
  capabilities: z.readonly(z.array(Capability)),
  locale: z.exactOptional(Text),
  /** Origin and path of the page on which the session started; never a query or fragment. */
  page: z.exactOptional(Text),
  /** Name of the browser in which it started. */
  browser: z.exactOptional(Text),
  /** The site's key that signed for this customer. Removing the key ends the session. */
  keyId: z.exactOptional(Text),
  /** What the site signed about the customer, without what looks like a secret. */
  signed: z.exactOptional(SignedFacts),
  /** What the page says about its visitor, which is unverified. */
  pageTraits: z.exactOptional(Traits),
});
export type SessionFacts = Readonly<z.infer<typeof SessionFacts>>;

/** A session as the store has it, under the hash of its bearer token. Times are milliseconds since 1970. */
export const SessionRecord = z.object({
  facts: SessionFacts,
  /** The service's session token, encrypted with the bearer token, in hexadecimal. */
  sealedToken: z.string().check(z.regex(/^([0-9a-f]{2})+$/)),
  tokenExpiresAt: z.optional(Millis),
  createdAt: Millis,
  lastSeenAt: Millis,
});
export type SessionRecord = Readonly<z.infer<typeof SessionRecord>>;
