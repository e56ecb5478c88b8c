import * as z from "zod/mini";
import { v1 } from "../operation.ts";

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
]);
export type Capability = z.infer<typeof Capability>;

/** What the service can do beyond the seven endpoints; a 404 here means: the seven alone. */
export const capabilities = v1({
  id: "capabilities",
  method: "GET",
  path: "/v1/support/capabilities",
  auth: "session",
  /** Words that we do not know are passed over by the reader, so that a newer service stays usable. */
  answer: z.object({ capabilities: z.array(z.string()).check(z.maxLength(100)) }),
  summary: "What the service offers beyond the seven endpoints",
});
