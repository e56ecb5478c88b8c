import { ENGLISH_SYNONYMS } from "./english-shop.ts";
import { ENGLISH_THESAURUS } from "./english-thesaurus.ts";
import { GERMAN_SYNONYMS } from "./german-shop.ts";
import { GERMAN_THESAURUS } from "./german-thesaurus.ts";
import type { Language } from "./languages.ts";
import { plainWord } from "./raw-words.ts";
import { termOf } from "./terms.ts";

/** Words of the same meaning, by concept, and how much one says of another. */
interface Synonyms {
  readonly groups: readonly (readonly string[])[];
  readonly weight: number;
}

/** In shops a word more often means the same than elsewhere, and in German more often than in English. */
const SYNONYMS: ReadonlyMap<string, readonly Synonyms[]> = new Map([
  [
    "en",
    [
      { groups: ENGLISH_SYNONYMS, weight: 0.5 },
      { groups: ENGLISH_THESAURUS.map(words), weight: 0.4 },
    ],
  ],
  [
    "de",
    [
      { groups: GERMAN_SYNONYMS, weight: 0.6 },
      { groups: GERMAN_THESAURUS.map(words), weight: 0.5 },
    ],
  ],
]);

function words(group: string): readonly string[] {
  return group.split(" ");
}

const NONE: ReadonlyMap<string, number> = new Map();
const read = new Map<string, ReadonlyMap<string, ReadonlyMap<string, number>>>();

/** The other terms with which articles or customers say the same, and how much each says of this one. */
export function synonymsOf(term: string, language: Language): ReadonlyMap<string, number> {
  const known = read.get(language.code) ?? termsBySynonym(language);
  read.set(language.code, known);
  return known.get(term) ?? NONE;
}

function termsBySynonym(language: Language): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const { groups, weight } of SYNONYMS.get(language.code) ?? []) {
    for (const group of groups) {
      // "Come" may mean "arrive", but articles say it everywhere.
      const telling = group.filter((word) => !language.stopWords.has(plainWord(word)));
      const terms = new Set(telling.map((word) => termOf(word, language)));
      for (const term of terms) {
        const others = found.get(term) ?? new Map<string, number>();
        found.set(term, others);
        for (const other of terms) {
          if (other !== term) others.set(other, Math.max(weight, others.get(other) ?? 0));
        }
      }
    }
  }
  return found;
}
