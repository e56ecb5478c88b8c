import type { ClaimPhrases } from "./claim-phrases.ts";
import { ar } from "./phrases/ar.ts";
import { de } from "./phrases/de.ts";
import { en } from "./phrases/en.ts";
import { es } from "./phrases/es.ts";
import { fr } from "./phrases/fr.ts";
import { it } from "./phrases/it.ts";
import { ja } from "./phrases/ja.ts";
import { nl } from "./phrases/nl.ts";
import { pl } from "./phrases/pl.ts";
import { pt } from "./phrases/pt.ts";
import { ru } from "./phrases/ru.ts";
import { tr } from "./phrases/tr.ts";
import { zh } from "./phrases/zh.ts";

/** The languages in which the guard recognises claims: those in which a request for a person is understood. */
export const CLAIM_PHRASES = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  pl,
  ru,
  tr,
  zh,
  ja,
  ar,
} as const satisfies Readonly<Record<string, ClaimPhrases>>;

export type ClaimLanguage = keyof typeof CLAIM_PHRASES;
