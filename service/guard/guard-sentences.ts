import { negotiate } from "../../shared/languages.ts";
import { sentencesFor } from "../agents/knowledge/knowledge-texts.ts";
import type { ClaimLanguage } from "./phrases.ts";
import sentences from "./withheld-sentences.json" with { type: "json" };

const SENTENCES: Readonly<Record<string, string>> = sentences satisfies Record<ClaimLanguage, string>;
const LANGUAGES = Object.keys(SENTENCES);

/**
 * Returns the replacement for a claim, in the language of the claim, which is that of the answer; where its words don't
 * tell, in the session's.
 */
export function withheld(locale: string | undefined, written: ClaimLanguage | undefined): string {
  const [own] = negotiate(locale === undefined ? [] : [locale], LANGUAGES);
  const isOwn = own !== undefined && (written === undefined || own.split("-")[0] === written);
  return SENTENCES[(isOwn ? own : written) ?? "en"] ?? sentences.en;
}

/** Returns the replacement for words in a language that the guard does not know, in the session's language. */
export function leftUnsaid(locale: string | undefined): string {
  return sentencesFor(locale).personOffered;
}
