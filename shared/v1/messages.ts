import * as z from "zod/mini";
import { Conversation, ConversationStatus, Mark } from "../conversation.ts";
import { Handoff } from "../handoff.ts";
import { Id } from "../id.ts";
import { Message } from "../message.ts";
import { v1 } from "../operation.ts";
import { at, isAbsentOr, isWithin } from "./echo.ts";
import { TRANSCRIPT } from "./limits.ts";

/** Entries of the log that one page covers at most, and where `limit` names no number. */
export const MAX_PAGE = 500;
export const DEFAULT_PAGE = 200;

/**
 * The transcript after `?after=SEQ` (default 0), oldest first, in pages of `?limit=N`: where there is more, the next page
 * begins after `nextAfter`. A service without pages gives all of it.
 * `lastSeq` is the position of the log that this answer reflects; `epoch` changes when the log itself was replaced.
 */
export const readMessages = v1({
  id: "messages",
  method: "GET",
  path: "/v1/support/conversations/:id/messages",
  auth: "session",
  summary: "Read a conversation's messages",
  needs: "messages",
  query: { after: { minimum: 0 }, limit: { minimum: 1, maximum: MAX_PAGE } },
  answer: z.object({
    conversation: z.optional(
      z.object({
        id: Id,
        status: ConversationStatus,
        handoff: z.optional(Handoff),
        rating: Conversation.shape.rating,
        read: Conversation.shape.read,
      }),
    ),
    messages: z.array(Message),
    /** Hand-offs and the end, after the same position; a service may leave them out. */
    marks: z.optional(z.array(Mark)),
    lastSeq: z.int().check(z.nonnegative()),
    /** Absent on the last page. */
    nextAfter: z.optional(z.int().check(z.positive())),
    epoch: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  }),
  echo({ params }, answer) {
    const messages = at(answer, "messages");
    return (
      isAbsentOr(params.id, at(answer, "conversation", "id")) &&
      isWithin(at(answer, "conversation"), params.id) &&
      Array.isArray(messages) &&
      messages.every((message) => isWithin({ message }, params.id))
    );
  },
  status: 200,
  retry: "never",
  limits: TRANSCRIPT,
});
