import * as z from "zod/mini";
import { FeedbackScore } from "./feedback.ts";
import { ClientMessageId, Id, Instant, Seq } from "./id.ts";
import { MAX_MESSAGE_CODE_POINTS } from "./limits.ts";
import { KIND_FIELDS } from "./message-kinds/kinds.ts";
import { plainText } from "./text.ts";

/** Who wrote a message: the customer, software, a person of the team, or the product itself (contract). */
export const Role = z.enum(["customer", "agent", "human", "system"]);
export type Role = z.infer<typeof Role>;

/** The text of a customer's message: plain text of at most 5,000 code points. Empty if the message consists of files. */
export const BodyBesideFiles = plainText(MAX_MESSAGE_CODE_POINTS, { mayBeEmpty: true });

/** Why the product itself writes. The panel shows its own text for each code, in the customer's language. */
export const Notice = z.enum(["agent_failed", "agent_found_nothing", "answer_cut"]);
export type Notice = z.infer<typeof Notice>;

/** Software wrote the text: which agent, and the model if it reported one. The machine-readable mark of AI answers. */
export const Generated = z.object({
  by: z.string().check(z.minLength(1), z.maxLength(200)),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});
export type Generated = z.infer<typeof Generated>;

/** One message of the log. `seq` orders the conversation; clocks never do. */
export const Message = z.object({
  id: Id,
  seq: Seq,
  role: Role,
  body: z.string(),
  at: Instant,
  clientMessageId: z.optional(ClientMessageId),
  /** The person's or the agent's name, for `human` and `agent` messages. */
  author: z.optional(z.object({ name: z.string().check(z.minLength(1), z.maxLength(200)) })),
  /** For `agent` messages. */
  generated: z.optional(Generated),
  ...KIND_FIELDS,
  /** True when the answer was cut off; `body` is what had arrived by then. */
  incomplete: z.optional(z.boolean()),
  notice: z.optional(Notice),
  /** The customer's feedback on an agent's answer at the time when the transcript is read. */
  feedback: z.optional(FeedbackScore),
});
export type Message = z.infer<typeof Message>;

/** Whether a person interrupted this answer. One that failed or was cut at its limit has a notice. */
export const isInterrupted = ({ incomplete, notice }: Pick<Message, "incomplete" | "notice">): boolean =>
  incomplete === true && notice === undefined;
