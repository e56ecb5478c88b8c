import * as z from "zod/mini";
import { Id, Instant, Seq } from "./id.ts";

/** Something that the agent may do only if the customer allows it (contract, `action.requested`). */
export const Action = z.object({
  actionId: Id,
  /** The service's own name for it, such as `cancel_order`. */
  name: z.string().check(z.minLength(1), z.maxLength(200)),
});
export type Action = z.infer<typeof Action>;

/**
 * An action at its position in the log. `approved` is present once the service verifiably took the customer's answer.
 */
export const AskedAction = z.object({
  ...Action.shape,
  seq: Seq,
  at: Instant,
  approved: z.optional(z.boolean()),
});
export type AskedAction = z.infer<typeof AskedAction>;
