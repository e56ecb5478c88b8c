import type { OpeningHours } from "../../shared/handoff.ts";
import type { ChatFailure } from "./chat-failure.ts";

/** The state of the session at the BFF. */
export type SessionStatus =
  | { readonly kind: "none" | "starting" }
  | {
      readonly kind: "ready";
      readonly capabilities: readonly string[];
      readonly hours?: OpeningHours | undefined;
      /** There is no conversation, but there are earlier ones. */
      readonly hasPast: boolean;
    }
  | { readonly kind: "failed"; readonly failure: ChatFailure };
