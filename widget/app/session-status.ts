import type { ChatFailure } from "./chat-failure.ts";

/** How the session at the BFF stands. */
export type SessionStatus =
  | { readonly kind: "none" | "starting" }
  | { readonly kind: "ready"; readonly capabilities: readonly string[] }
  | { readonly kind: "failed"; readonly failure: ChatFailure };
