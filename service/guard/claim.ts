import type { ActionKind } from "./claim-phrases.ts";
import type { ClaimLanguage } from "./phrases.ts";

/** A claim that an action happened, is happening, or will happen without anybody doing more. */
export interface Claim {
  readonly kind: ActionKind;
  /** Undefined where its words don't tell. */
  readonly language: ClaimLanguage | undefined;
  /**
   * `ours`: "I have cancelled it". `happened`: "It was cancelled", which may also repeat what a tool reported. `announced`:
   * "You will receive an e-mail", which may also be the owner's promise.
   */
  readonly form: "ours" | "happened" | "announced";
}
