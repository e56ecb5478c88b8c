import * as z from "zod/mini";

const PANEL = [
  "turns",
  "events",
  "messages",
  "typing",
  "read",
  "rating",
  "attachments",
  "idempotency",
  "erase",
] as const;

/** The capabilities that a session's answer may name: a panel refuses an answer with any other. */
export const PanelCapability = z.enum(PANEL);
export type PanelCapability = z.infer<typeof PanelCapability>;

/** What a service may offer beyond the seven endpoints (contract, "Beyond the seven"). `link` is the BFF's business. */
export const Capability = z.enum([...PANEL, "link"]);
export type Capability = z.infer<typeof Capability>;
