import * as z from "zod/mini";
import { ExternalId, Id, Instant } from "../id.ts";
import { v1 } from "../operation.ts";
import { RouteTarget } from "../route.ts";
import { atMost } from "../text.ts";
import { at, isAbsentOr, isFailedStatus, isOpenStatus, isSameText } from "./echo.ts";
import { CALL, START } from "./limits.ts";

/** The page and the browser in which a customer started, so the team can tell visitors apart. Unverified. */
export const StartedFrom = z.object({
  /** Path of the page, without query and fragment. */
  page: z.optional(z.string().check(z.minLength(1), atMost(500))),
  /** Name of the browser, such as Firefox. */
  browser: z.optional(z.string().check(z.minLength(1), atMost(40))),
});
export type StartedFrom = z.infer<typeof StartedFrom>;

/** Starts a conversation. Contract, endpoint 5. `Idempotency-Key` where the service declares `idempotency`. */
export const startConversation = v1({
  id: "conversations",
  method: "POST",
  path: "/v1/support/conversations",
  auth: "session",
  summary: "Start a conversation",
  headers: ["Idempotency-Key"],
  request: z.object({
    providerId: z.optional(RouteTarget),
    subject: z.optional(z.string().check(z.minLength(1), atMost(10_000))),
    /** Only if the service declares `startedFrom`. */
    startedFrom: z.optional(StartedFrom),
  }),
  answer: z.object({
    conversation: z.object({
      id: Id,
      status: z.optional(z.string()),
      startedAt: z.optional(Instant),
      /** If present, it is the complete text that was sent. */
      subject: z.optional(z.unknown()),
      /** The conversation's route, if the service reports it. */
      route: z.optional(z.unknown()),
    }),
  }),
  echo: ({ request }, answer) =>
    !isFailedStatus(at(answer, "conversation", "status")) &&
    isSameText(request.subject, at(answer, "conversation", "subject")),
  status: 201,
  retry: "keyed",
  refusals: ["in_flight", "key_reused"],
  limits: START,
});

/** Ends a conversation: an empty 2xx, or a body that names the same conversation. Contract, endpoint 7. */
export const endConversation = v1({
  id: "endConversation",
  method: "DELETE",
  path: "/v1/support/conversations/:id",
  auth: "session",
  summary: "End a conversation",
  answer: z.optional(
    z.object({
      id: z.optional(z.unknown()),
      conversation: z.optional(z.object({ id: z.optional(z.unknown()), status: z.optional(z.unknown()) })),
    }),
  ),
  echo({ params }, answer) {
    if (answer === undefined) return true;
    const conversation = at(answer, "conversation");
    const isEnded = [at(answer, "status"), at(conversation, "status")].every(
      (status) => !isOpenStatus(status) && !isFailedStatus(status),
    );
    const id = at(conversation, "id") ?? at(answer, "id");
    return isEnded && id === params.id && isAbsentOr(params.id, at(answer, "id"));
  },
  status: 200,
  retry: "always",
  limits: CALL,
});

/**
 * Reopens an ended conversation, so its customer can write in it; an open one stays as it is. A service that does not
 * allow this for a conversation refuses with `conversation_ended`.
 */
export const reopenConversation = v1({
  id: "reopen",
  method: "POST",
  path: "/v1/support/conversations/:id/reopen",
  auth: "session",
  summary: "Open an ended conversation again",
  needs: "reopen",
  answer: z.object({ conversation: z.object({ id: Id, status: z.literal("open") }) }),
  echo: ({ params }, answer) => at(answer, "conversation", "id") === params.id,
  status: 200,
  retry: "always",
  refusals: ["conversation_ended", "conversation_full"],
  limits: CALL,
});

/**
 * Gives an anonymous visitor's conversation to the customer that they signed in as. The application asks, because only it
 * knows that both are one person. `externalId` names the visitor and must be the conversation's owner. Idempotent; once
 * linked, a conversation is never given to anybody else.
 */
export const linkConversation = v1({
  id: "link",
  method: "POST",
  path: "/v1/support/conversations/:id/link",
  auth: "application",
  summary: "Give an anonymous visitor's conversation to the customer who signed in",
  needs: "link",
  request: z.object({ externalId: ExternalId, linkedTo: ExternalId }),
  answer: z.object({ conversation: z.object({ id: Id, externalId: ExternalId }) }),
  echo: ({ params, request }, answer) =>
    at(answer, "conversation", "id") === params.id &&
    at(answer, "conversation", "externalId") === request.linkedTo,
  status: 200,
  retry: "always",
  limits: CALL,
});
