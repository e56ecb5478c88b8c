import * as z from "zod/mini";

/**
 * The closed list of failures that leave the BFF or the service. `status` is the HTTP status, `title` names the kind,
 * `detail` is a sentence that a person can act on. The widget branches on the code and has its own text per language.
 */
export const FAILURES = {
  bad_json: [400, "Not readable", "The body is not valid JSON. Send one JSON object in UTF-8."],
  bad_request: [400, "Not accepted", "A field is missing or has a wrong value."],
  unauthenticated: [
    401,
    "No session",
    "Start a session first and send its token in the Authorization header.",
  ],
  session_expired: [401, "Session expired", "This session has expired. Start a new one."],
  identity_required: [
    401,
    "Identity needed",
    "This chat is for customers whom the site identifies. Send one of the site's identity tokens.",
  ],
  identity_unavailable: [
    503,
    "Identity not available",
    "The site could not say who its visitor is. Nothing was sent. Try again.",
  ],
  identity_expired: [401, "Identity expired", "The identity token has expired. Ask the site for a new one."],
  identity_bad_signature: [
    401,
    "Identity not proven",
    "The identity token is malformed, or was not signed with a key of this site.",
  ],
  identity_wrong_audience: [401, "Identity of another site", "The identity token's aud is not this site."],
  identity_unknown_kid: [401, "Identity key unknown", "The identity token's kid names no key of this site."],
  identity_missing_claim: [
    401,
    "Identity incomplete",
    "The identity token lacks a required claim, or a claim has a wrong form.",
  ],
  identity_replayed: [401, "Identity used before", "The identity token was used before. Ask for a new one."],
  identity_clock_skew: [
    401,
    "Identity from the future",
    "The identity token was issued in the future: the site's clock is wrong.",
  ],
  origin_not_allowed: [403, "Origin not allowed", "This site is not on the list of allowed origins."],
  forbidden: [403, "Not allowed", "This account can't do that."],
  not_found: [404, "Not found", "There is nothing at this address."],
  method_not_allowed: [405, "Method not allowed", "This address does not answer that method."],
  no_conversation: [409, "No conversation", "There is no conversation yet. Send a first message."],
  conversation_erased: [
    404,
    "Conversation erased",
    "This conversation was erased together with its customer's data.",
  ],
  conversation_ended: [
    409,
    "Conversation ended",
    "This conversation has ended. Send a message to start a new one.",
  ],
  conversation_full: [
    409,
    "Conversation full",
    "This conversation has reached its maximum length. Your next message starts a new one.",
  ],
  not_carried: [
    409,
    "Message not accepted",
    "Support accepts no further messages in this conversation. Your text is still here. Ask for a person, or end the conversation to start a new one.",
  ],
  handoff_unavailable: [
    409,
    "No person available",
    "You can't ask for a person here. The agent keeps answering.",
  ],
  too_many_files: [
    409,
    "Too many files",
    "This conversation has reached its file limit. Nothing was stored.",
  ],
  file_gone: [
    409,
    "File gone",
    "A file of this message is no longer stored, or was sent before. Attach it again.",
  ],
  in_flight: [409, "Still running", "The same request is still in progress. Try again in a moment."],
  body_too_large: [413, "Too large", "The body is larger than 32 kB. Shorten the text."],
  file_too_large: [413, "File too large", "The file is larger than 10 MB. Nothing was stored."],
  file_not_allowed: [
    415,
    "File type not allowed",
    "You can attach images (PNG, JPEG, GIF, WebP) or PDFs. Nothing was stored.",
  ],
  unsupported_media_type: [415, "Wrong media type", "Send the body as application/json."],
  key_reused: [422, "Key used before", "This message id was used for a different text. Use a new one."],
  rate_limited: [429, "Too many requests", "Too many requests. Wait a moment, then try again."],
  internal: [
    500,
    "Internal error",
    "Something went wrong on our side. We don't know of any change. Try again.",
  ],
  not_confirmed: [
    502,
    "Not confirmed",
    "Support answered, but did not confirm it. We don't know whether it worked.",
  ],
  support_refused: [502, "Support refused", "Support refused this request. We don't know of any change."],
  support_unreachable: [
    503,
    "Support unreachable",
    "Support could not be reached. Your text is still here. Try again.",
  ],
  unavailable: [503, "Unavailable", "This is not available at the moment. Try again soon."],
  support_timeout: [
    504,
    "No answer in time",
    "Support did not answer in time. We don't know whether it arrived.",
  ],
  storage_full: [507, "Storage full", "There is no space left to store this. Nothing was stored."],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>;

export type FailureCode = keyof typeof FAILURES;
const codes = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]];
export const FailureCode = z.enum(codes);

/** RFC 9457 problem details with our members. `retryAfter` is in seconds. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: FailureCode,
  detail: z.string(),
  requestId: z.string(),
  retryAfter: z.optional(z.number()),
});
export type Problem = z.infer<typeof Problem>;

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Thrown wherever a request fails on purpose; the error handlers of BFF and service turn it into a Problem. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Replaces the code's own sentence. It reaches the client: never put upstream text, ids of others or a stack in it. */
  readonly detail: string | undefined;
  /** Seconds to wait, if known. */
  readonly retryAfter: number | undefined;

  constructor(
    code: FailureCode,
    options: { detail?: string | undefined; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(options.detail ?? FAILURES[code][2], { cause: options.cause });
    this.name = "Failure";
    this.code = code;
    this.detail = options.detail;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return FAILURES[this.code][0];
  }
}

/** The Problem of a failure. `requestId` is the id under which the request is logged. */
export function problemOf(failure: Failure, requestId: string): Problem {
  const [status, title, detail] = FAILURES[failure.code];
  return {
    type: `urn:parley:problem:${failure.code}`,
    title,
    status,
    code: failure.code,
    detail: failure.detail ?? detail,
    requestId,
    ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter }),
  };
}
