import * as z from "zod/mini";
import { Id } from "./id.ts";
import { plainText } from "./text.ts";

/**
 * requested: a person has been asked, nobody is here yet. accepted: that person answers.
 * returned: the agent answers again. failed: the target could not be prepared; the agent kept the conversation.
 */
export const HandoffStatus = z.enum(["requested", "accepted", "returned", "failed"]);
export type HandoffStatus = z.infer<typeof HandoffStatus>;

export const Handoff = z.object({
  id: Id,
  status: HandoffStatus,
  /** The person who accepted. Only a `handoff.accepted` event sets it: a name is a claim that someone is there. */
  human: z.optional(z.object({ name: z.string().check(z.minLength(1), z.maxLength(200)) })),
});
export type Handoff = z.infer<typeof Handoff>;

/** What the customer says on asking for a person; both are shown to that person. */
export const HandoffReason = plainText(500);
export const HandoffSummary = plainText(4000);
