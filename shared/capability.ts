import * as z from "zod/mini";

/** What a service may offer beyond the seven endpoints (contract, "Beyond the seven"). */
export const Capability = z.enum([
  "turns",
  "events",
  "messages",
  "typing",
  "read",
  "rating",
  "attachments",
  "idempotency",
  "erase",
  "link",
]);
export type Capability = z.infer<typeof Capability>;
