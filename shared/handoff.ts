import * as z from "zod/mini";
import { Id, Instant } from "./id.ts";
import { plainText } from "./text.ts";

/**
 * requested: a person has been asked for, but has not joined. accepted: that person answers. returned: the agent
 * answers again. failed: the target could not be prepared; the agent still has the conversation.
 */
export const HandoffStatus = z.enum(["requested", "accepted", "returned", "failed"]);
export type HandoffStatus = z.infer<typeof HandoffStatus>;

/** The wait for a person at the time of the answer. A part that is not known is absent. */
export const Wait = z.object({
  /** 1 is next in the queue. */
  place: z.optional(z.int().check(z.positive())),
  /** The median time from the request to a person's first reply, of the latest hand-offs. */
  usualSeconds: z.optional(z.int().check(z.nonnegative())),
  /** Support is closed until then. Absent while it is open, and where its hours are not known. */
  opensAt: z.optional(Instant),
});
export type Wait = z.infer<typeof Wait>;

/**
 * The next opening and the next closing of support. It is open now if the closing comes first, or if it never closes:
 * then both are absent.
 */
export const OpeningHours = z.object({ opensAt: z.optional(Instant), closesAt: z.optional(Instant) });
export type OpeningHours = z.infer<typeof OpeningHours>;

export const Handoff = z.object({
  id: Id,
  status: HandoffStatus,
  /** Only while a person is awaited. */
  wait: z.optional(Wait),
  /** The person who accepted. Only a `handoff.accepted` event sets it: a name is a claim that someone is there. */
  human: z.optional(z.object({ name: z.string().check(z.minLength(1), z.maxLength(200)) })),
});
export type Handoff = z.infer<typeof Handoff>;

/** The customer's reason and intent when asking for a person; that person sees both. */
export const HandoffReason = plainText(500);
export const HandoffSummary = plainText(4000);
