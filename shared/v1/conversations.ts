import * as z from "zod/mini";
import { Id, Instant } from "../id.ts";
import { v1 } from "../operation.ts";
import { RouteTarget } from "../route.ts";

/** Starts a conversation. Contract, endpoint 5. `Idempotency-Key` where the service declares `idempotency`. */
export const startConversation = v1({
  id: "conversations",
  method: "POST",
  path: "/v1/support/conversations",
  auth: "session",
  request: z.object({
    providerId: z.optional(RouteTarget),
    subject: z.optional(z.string().check(z.minLength(1), z.maxLength(10_000))),
  }),
  answer: z.object({
    conversation: z.object({
      id: Id,
      status: z.optional(z.string()),
      startedAt: z.optional(Instant),
      /** Where it is named, it is the one that was sent, whole. */
      subject: z.optional(z.unknown()),
      /** The route that stands for it, where the service says so. */
      route: z.optional(z.unknown()),
    }),
  }),
  summary: "Start a conversation",
});

/** Ends a conversation: an empty 2xx, or a body that names the same conversation. Contract, endpoint 7. */
export const endConversation = v1({
  id: "endConversation",
  method: "DELETE",
  path: "/v1/support/conversations/:id",
  auth: "session",
  answer: z.optional(
    z.object({
      id: z.optional(z.unknown()),
      conversation: z.optional(z.object({ id: z.optional(z.unknown()), status: z.optional(z.unknown()) })),
    }),
  ),
  summary: "End a conversation",
});
