import * as z from "zod/mini";
import { Attachment } from "./attachment.ts";
import { ClientMessageId, Id, Instant, Seq } from "./id.ts";
import { MAX_ATTACHMENTS, MAX_MESSAGE_CODE_POINTS } from "./limits.ts";
import { plainText } from "./text.ts";

/** Who wrote a message: the customer, software, a person of the team, or the product itself (contract). */
export const Role = z.enum(["customer", "agent", "human", "system"]);
export type Role = z.infer<typeof Role>;

/** What a customer wrote, before it is anything else: plain text of at most 5,000 code points. */
export const MessageBody = plainText(MAX_MESSAGE_CODE_POINTS);

/** As `MessageBody`, and empty where files say it all. */
export const BodyBesideFiles = plainText(MAX_MESSAGE_CODE_POINTS, { mayBeEmpty: true });

/** Where an agent's words stand: an article the customer may open. `url` is shown as a link only if it is https. */
export const Citation = z.object({
  citationId: Id,
  title: z.string().check(z.minLength(1), z.maxLength(300)),
  url: z.optional(z.string().check(z.maxLength(2000))),
  excerpt: z.optional(z.string().check(z.maxLength(1000))),
});
export type Citation = z.infer<typeof Citation>;

/** Why the product itself speaks; the panel chooses the words by this code, in the customer's language. */
export const Notice = z.enum(["agent_failed", "agent_found_nothing", "answer_cut"]);
export type Notice = z.infer<typeof Notice>;

/** One message as it stands in the log. `seq` orders the conversation; clocks never do. */
export const Message = z.object({
  id: Id,
  seq: Seq,
  role: Role,
  body: z.string(),
  at: Instant,
  clientMessageId: z.optional(ClientMessageId),
  /** The person's or the agent's name, for `human` and `agent` messages. */
  author: z.optional(z.object({ name: z.string().check(z.minLength(1), z.maxLength(200)) })),
  /** Files that came with it; then `body` may be empty. */
  attachments: z.optional(z.array(Attachment).check(z.maxLength(MAX_ATTACHMENTS))),
  citations: z.optional(z.array(Citation).check(z.maxLength(20))),
  /** True when the answer was cut off; the text is what had come until then. */
  incomplete: z.optional(z.boolean()),
  notice: z.optional(Notice),
});
export type Message = z.infer<typeof Message>;
