import * as z from "zod/mini";
import { Conversation, ConversationSnapshot } from "../conversation.ts";
import { api } from "../operation.ts";
import * as v1 from "../v1/history.ts";
import { LOG_PAGE, Reference, SeqText } from "./conversation.ts";

const { id: _, ...listed } = v1.PastConversation.shape;

const OwnPage = z.object({
  conversations: z.array(
    z.object({
      ...listed,
      /** Names it in other calls, for this customer only. */
      reference: Reference,
      /** The one that the panel shows. */
      isCurrent: z.boolean(),
    }),
  ),
  /** Absent on the last page. */
  next: z.optional(z.string()),
});

/** The customer's own conversations, newest first. The next page is read with `?after=NEXT`. */
export const listConversations = api({
  method: "GET",
  path: "/api/conversations",
  session: "required",
  needs: ["history", "messages", "events"],
  rate: "calls",
  query: z.object({ after: z.optional(v1.Place) }),
  answer: OwnPage,
});

/** Those of them whose messages contain all words of `text`. A page may be empty and still have a `next`. */
export const searchConversations = api({
  method: "POST",
  path: "/api/conversations/search",
  session: "required",
  needs: ["search", "history", "messages", "events"],
  rate: "calls",
  request: z.strictObject({ text: v1.SearchText, after: z.optional(v1.Place) }),
  answer: z.object({ ...OwnPage.shape, text: z.string() }),
});

/**
 * Makes one of them the conversation that the panel shows: the next message goes there, and opens it again if it has
 * ended. The conversation that is open now ends first.
 */
export const continueConversation = api({
  method: "POST",
  path: "/api/conversations/current",
  session: "required",
  needs: ["history", "messages", "events"],
  rate: "calls",
  request: z.strictObject({ of: Reference }),
  answer: z.object({ conversation: z.object({ id: Conversation.shape.id }) }),
});

/** The newest page of one of them, or with `?before=SEQ` the newest before that seq. */
export const readPast = api({
  method: "GET",
  path: "/api/conversations/messages",
  session: "required",
  needs: ["history", "messages", "events"],
  rate: "calls",
  query: z.object({ of: Reference, before: z.optional(SeqText) }),
  answer: z.object({
    status: z.optional(ConversationSnapshot.shape.status),
    ...LOG_PAGE,
  }),
});
