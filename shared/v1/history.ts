import * as z from "zod/mini";
import { ConversationStatus } from "../conversation.ts";
import { ExternalId, Id, Instant } from "../id.ts";
import { v1 } from "../operation.ts";
import { atMost } from "../text.ts";
import { at, nothingToEcho } from "./echo.ts";
import { CALL } from "./limits.ts";

/** The most conversations of one page, and the default of `limit`. */
export const MAX_PAST = 50;
export const DEFAULT_PAST = 20;
/** Characters of a conversation's first message that a list shows. */
export const FIRST_WORDS = 160;
/** Characters of the longest text that is searched for. */
const MAX_SEARCH = 100;
/** The longest `next`: a time and an id. */
export const MAX_PLACE = 160;

/** A conversation as a list of a customer's own shows it. */
export const PastConversation = z.object({
  id: Id,
  status: ConversationStatus,
  startedAt: Instant,
  /** The beginning of the customer's first message; absent where they only sent a file, or wrote nothing. */
  firstWords: z.optional(z.string().check(z.minLength(1), z.maxLength(FIRST_WORDS))),
  /** The last person who wrote, or software if only software did; absent if nobody answered. */
  answeredBy: z.optional(
    z.object({
      role: z.enum(["agent", "human"]),
      name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    }),
  ),
  /** In an answer to a search: the words around what was found, from a message of this conversation. */
  excerpt: z.optional(z.string().check(z.minLength(1), z.maxLength(FIRST_WORDS))),
  /** How it ended; absent while it is open. */
  ended: z.optional(z.object({ at: Instant, by: z.enum(["customer", "human", "system"]) })),
});
export type PastConversation = z.infer<typeof PastConversation>;

/** The text to search for: words in any order. */
export const SearchText = z.string().check(atMost(MAX_SEARCH), z.regex(/\S/, "must not be empty"));

/** Where the next page of a list begins. */
export const Place = z.string().check(z.minLength(1), z.maxLength(MAX_PLACE));
/** A page of a customer's own conversations. */
const OwnPage = z.object({
  customer: z.object({ externalId: ExternalId }),
  conversations: z.array(PastConversation).check(z.maxLength(MAX_PAST)),
  /** Absent on the last page. */
  next: z.optional(Place),
});

/**
 * The customer's own conversations, newest first, in pages of `?limit=N`. If there are older ones, `?after=NEXT` reads
 * the next page. `customer` names the owner of all of them: a caller accepts only its own customer's list.
 */
export const listConversations = v1({
  id: "history",
  method: "GET",
  path: "/v1/support/conversations",
  auth: "session",
  summary: "List the customer's own conversations",
  needs: "history",
  query: { after: { maxLength: MAX_PLACE }, limit: { minimum: 1, maximum: MAX_PAST } },
  answer: OwnPage,
  echo: nothingToEcho,
  status: 200,
  retry: "never",
  limits: CALL,
});

/**
 * Those of the customer's own conversations whose messages contain all words of a text, newest first. The service bounds
 * the work of one call, so a page may be short or empty and still have a `next`. The text is in the body, because
 * addresses get into logs. The answer repeats it: a list without it may be unfiltered.
 */
export const searchConversations = v1({
  id: "search",
  method: "POST",
  path: "/v1/support/search",
  auth: "session",
  summary: "Search the customer's own conversations",
  needs: "search",
  storesNothing: true,
  request: z.object({
    text: SearchText,
    after: z.optional(Place),
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_PAST))),
  }),
  answer: z.object({ ...OwnPage.shape, text: z.string() }),
  echo: ({ request }, answer) => at(answer, "text") === request.text,
  status: 200,
  retry: "never",
  limits: CALL,
});
