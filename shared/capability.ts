import * as z from "zod/mini";

/** The capabilities that a session's answer may contain. */
export const PanelCapability = z.enum([
  "turns",
  "events",
  "messages",
  "typing",
  "read",
  "rating",
  "feedback",
  "attachments",
  "idempotency",
  "erase",
  "history",
  "search",
  "reopen",
  "contact",
  "summary",
]);
export type PanelCapability = z.infer<typeof PanelCapability>;

/**
 * The capabilities that a service may declare beyond the seven endpoints (contract, "Beyond the seven"). Only the BFF
 * uses `link` and `startedFrom`.
 */
export const Capability = z.enum([...PanelCapability.options, "link", "startedFrom"]);
export type Capability = z.infer<typeof Capability>;
