import * as z from "zod/mini";
import { atMost } from "./text.ts";

/** The name of a channel, an agent or a hand-off adapter, as configuration and selection answers write it. */
export const RouteTarget = z.string().check(z.minLength(1), atMost(128));

/** The targets that answer a conversation; fixed at its start until a hand-off changes it (contract, "Rules KNOWN"). */
export const Route = z.object({
  channel: RouteTarget,
  agentProvider: RouteTarget,
  humanHandoffAdapter: z.optional(RouteTarget),
  reason: z.optional(z.string().check(z.maxLength(500))),
});
export type Route = z.infer<typeof Route>;
