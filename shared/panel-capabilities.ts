/**
 * The capabilities that a session's answer may contain: a panel refuses an answer with any other. Separate from the
 * schemas, because the panel's bundle contains no schema library.
 */
export const PANEL_CAPABILITIES = [
  "turns",
  "events",
  "messages",
  "typing",
  "read",
  "rating",
  "attachments",
  "idempotency",
  "erase",
  "history",
  "search",
  "reopen",
  "contact",
] as const;
