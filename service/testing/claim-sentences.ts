import own from "./labelled-claims/own.json" with { type: "json" };

/** Sentences of agents in one language: claims that need a verified result, and sentences that don't. */
export interface ClaimSentences {
  readonly claims: readonly string[];
  readonly harmless: readonly string[];
}

/** Those that were mostly written with the patterns. */
export const CLAIM_SENTENCES: Readonly<Record<string, ClaimSentences>> = own[0] ?? {};
