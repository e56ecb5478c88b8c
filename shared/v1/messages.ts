import * as z from "zod/mini";
import { AskedAction } from "../action.ts";
import { Conversation, ConversationStatus, Marks } from "../conversation.ts";
import { Handoff } from "../handoff.ts";
import { Id } from "../id.ts";
import { Message } from "../message.ts";
import { v1 } from "../operation.ts";
import { at, isAbsentOr, isWithin } from "./echo.ts";
import { TRANSCRIPT } from "./limits.ts";

/** The most log entries that one page covers, and the default of `limit`. */
export const MAX_PAGE = 500;
export const DEFAULT_PAGE = 200;
/** The same with `before`: some screens of messages, which a server reads, checks and sends in a few milliseconds. */
export const DEFAULT_PAGE_BEFORE = 50;

/** Larger numbers lose their value on the way. */
const POSITION = { maximum: Number.MAX_SAFE_INTEGER } as const;

/**
 * The transcript after `?after=SEQ` (default 0), oldest first, in pages of `?limit=N`: where there is more, the next page
 * begins after `nextAfter`. With `?before=SEQ` instead, the page is the newest before that position, and where there is
 * more, the page before it ends before `nextBefore`. A service without pages gives all of it.
 * `lastSeq` is the position of the log that this answer reflects; `epoch` changes when the log itself was replaced.
 */
export const readMessages = v1({
  id: "messages",
  method: "GET",
  path: "/v1/support/conversations/:id/messages",
  auth: "session",
  summary: "Read a conversation's messages",
  needs: "messages",
  query: {
    after: { minimum: 0, ...POSITION },
    before: { minimum: 1, ...POSITION },
    limit: { minimum: 1, maximum: MAX_PAGE },
  },
  answer: z.object({
    conversation: z.optional(
      z.object({
        id: Id,
        status: ConversationStatus,
        startedAt: z.optional(z.unknown()),
        handoff: z.optional(Handoff),
        rating: Conversation.shape.rating,
        contact: Conversation.shape.contact,
        read: Conversation.shape.read,
      }),
    ),
    messages: z.array(Message),
    /** Entries that are no messages, of the same page; a service may leave them out. */
    marks: z.optional(Marks),
    /** Actions that were asked for in the same page, with their current state. */
    actions: z.optional(z.array(AskedAction)),
    lastSeq: z.int().check(z.nonnegative()),
    /** Absent on the last page. */
    nextAfter: z.optional(z.int().check(z.positive())),
    /** Only with `before`; absent on the page with which the log begins. */
    nextBefore: z.optional(z.int().check(z.positive())),
    epoch: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  }),
  refusals: ["conversation_erased"],
  longList: "messages",
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
