import { ENGLISH_SYNONYMS } from "./english-shop.ts";
import { GERMAN_SYNONYMS } from "./german-shop.ts";
import type { Language } from "./languages.ts";
import { termOf } from "./terms.ts";

const GROUPS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ["en", ENGLISH_SYNONYMS],
  ["de", GERMAN_SYNONYMS],
]);
const read = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

/** The other terms with which a shop or its customers say the same. */
export function synonymsOf(term: string, language: Language): readonly string[] {
  const known = read.get(language.code) ?? termsBySynonym(language);
  read.set(language.code, known);
  return [...(known.get(term) ?? [])].filter((one) => one !== term);
}

function termsBySynonym(language: Language): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const group of GROUPS.get(language.code) ?? []) {
    const terms = group.map((word) => termOf(word, language));
    for (const term of terms) found.set(term, new Set([...(found.get(term) ?? []), ...terms]));
  }
  return found;
}
