import * as z from "zod/mini";
import { Id, Instant, Seq } from "./id.ts";

/** One argument of an action as a card shows it: what the tool calls it, and the value that would be sent. */
export const ActionArgument = z.object({
  label: z.string().check(z.minLength(1), z.maxLength(200)),
  value: z.string().check(z.maxLength(1000)),
});
export type ActionArgument = z.infer<typeof ActionArgument>;

export const MAX_ACTION_ARGUMENTS = 30;

/** Something that the agent may do only if somebody allows it (contract, `action.requested`). */
export const Action = z.object({
  actionId: Id,
  /** The service's own name for it, such as `cancel_order`. */
  name: z.string().check(z.minLength(1), z.maxLength(200)),
  /** The tool's title for people. */
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** All of them, in the tool's order. */
  arguments: z.optional(z.array(ActionArgument).check(z.maxLength(MAX_ACTION_ARGUMENTS))),
  /** Who allows it: the customer if absent. */
  confirm: z.optional(z.enum(["customer", "person"])),
  /** Nobody can allow it afterwards. */
  expiresAt: z.optional(Instant),
});
export type Action = z.infer<typeof Action>;

/**
 * What became of an action. `completed`: the tool verifiably did it. `failed`: it verifiably did not. `unknown`: neither is
 * certain, and it is never tried again. `expired`: nobody answered in time, so nothing was done.
 */
export const ActionStatus = z.enum(["completed", "failed", "unknown", "expired"]);
export type ActionStatus = z.infer<typeof ActionStatus>;

/** The tool's own answer, as text. */
export const ActionText = z.string().check(z.minLength(1), z.maxLength(2000));

/**
 * An action at its position in the log. `approved` is present once the service verifiably took the answer, `result` once it
 * said what became of it.
 */
export const AskedAction = z.object({
  ...Action.shape,
  seq: Seq,
  at: Instant,
  approved: z.optional(z.boolean()),
  result: z.optional(z.object({ status: ActionStatus, text: z.optional(ActionText) })),
});
export type AskedAction = z.infer<typeof AskedAction>;
