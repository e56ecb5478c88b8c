import * as z from "zod/mini";
import { ConversationSnapshot } from "../conversation.ts";
import { OpeningHours } from "../handoff.ts";
import { ExternalId, Instant } from "../id.ts";
import { api } from "../operation.ts";
import { Route } from "../route.ts";
import { Traits } from "../traits.ts";

const Locale = z.string().check(z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/), z.maxLength(35));

/** The page that the customer is on, for routing and for the desk. The BFF stores only origin and path. */
export const Page = z.strictObject({
  url: z.string().check(z.maxLength(2048)),
  title: z.optional(z.string().check(z.maxLength(300))),
  referrer: z.optional(z.string().check(z.maxLength(2048))),
});

export const SessionState = z.object({
  token: z.string().check(z.minLength(32), z.maxLength(256)),
  expiresAt: Instant,
  customer: z.object({
    externalId: ExternalId,
    displayName: z.optional(z.string()),
    identified: z.boolean(),
  }),
  route: Route,
  /** Any text: a panel that was open before an upgrade passes over a capability that it does not know. */
  capabilities: z.array(z.string()),
  /** Absent where the hours of support are not known. */
  hours: z.optional(OpeningHours),
  conversation: z.nullable(ConversationSnapshot),
  /** There is no conversation to show now, but the service has earlier ones of this customer. */
  hasPast: z.optional(z.literal(true)),
  /** There was a conversation, and the service no longer has it. One that its customer or an operator erased is not lost. */
  isLost: z.optional(z.literal(true)),
});
export type SessionState = z.infer<typeof SessionState>;

/** The site's identity token: a JWT that it signed for one customer, valid for one use. */
const IdentityToken = z.string().check(z.minLength(1), z.maxLength(8192));

/** Starts a session (201), or resumes the one whose token is in `Authorization` (200). `token` in the body is the site's identity token. */
export const startSession = api({
  method: "POST",
  path: "/api/session",
  session: "optional",
  request: z.strictObject({
    locale: z.optional(Locale),
    page: z.optional(Page),
    traits: z.optional(Traits),
    token: z.optional(IdentityToken),
  }),
  answer: SessionState,
});
export type StartSession = z.infer<typeof startSession.request>;

/**
 * Identifies the visitor by the site's token. An anonymous session becomes this customer's and gets a new token (201). The
 * same customer's session continues (200). Another customer's session ends and a new one begins (201).
 */
export const identifySession = api({
  method: "POST",
  path: "/api/session/identity",
  session: "required",
  request: z.strictObject({ token: IdentityToken }),
  answer: SessionState,
});

/** Logout: the session is revoked on the server and its streams close. */
export const endSession = api({
  method: "DELETE",
  path: "/api/session",
  session: "required",
  answer: z.object({ revoked: z.literal(true) }),
});
