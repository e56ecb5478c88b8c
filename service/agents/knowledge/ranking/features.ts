import type { AskedWord } from "./asked.ts";
import type { Corpus, Unit } from "./corpus.ts";
import type { Candidate } from "./rank.ts";

/** What the probability is computed from. Each is about one candidate and lies between 0 and about 1. */
export const FEATURES = [
  "unknown",
  "cover",
  "evidence",
  "saturation",
  "pairs",
  "near",
  "margin",
  "name",
] as const;
export type Features = Readonly<Record<(typeof FEATURES)[number], number>>;

/** A question whose found words are as rare as this many words of one article each is rich. */
export const RICH = 5;

/** No article has it. */
export const NO_WORD = "\u0000";

/** Two words of a question are near each other in a passage within this many words. */
const NEAR = 6;

export function featuresOf(
  corpus: Corpus,
  asked: readonly AskedWord[],
  candidates: readonly Candidate[],
  candidate: Candidate,
): Features {
  const unit = corpus.units[candidate.unit];
  if (!unit) throw new Error("a candidate has a passage");
  const total = sum(asked.map(({ weight }) => weight)) || 1;
  const passage = { has: (term: string) => corpus.passageIndex.isIn(term, candidate.unit) };
  const rarest = corpus.articleIndex.rarity(NO_WORD);
  const cover = sum(asked.map((word) => word.weight * strengthIn(word, passage))) / total;
  const forms = formsOf(asked);
  const name = Math.max(
    askedShare(corpus, unit.fields.title, forms),
    askedShare(corpus, unit.fields.heading, forms),
  );
  const places = placesIn(unit, forms);
  return {
    unknown: sum(asked.filter(({ forms }) => forms.length === 0).map(({ weight }) => weight)) / total,
    cover,
    evidence: (cover * total) / (RICH * rarest),
    saturation: candidate.passageScore / (2.2 * total),
    pairs: pairsWithin(places, asked, 2),
    near: pairsWithin(places, asked, NEAR),
    // One shared word wins by any margin where it is the only one that the articles know.
    margin: marginOf(candidate, candidates) * cover,
    name: name * cover,
  };
}

/** How far a candidate is ahead of the best other article, as a share of the higher score. */
export function marginOf({ article, score }: Candidate, candidates: readonly Candidate[]): number {
  const others = candidates.filter((one) => one.article !== article);
  const best = Math.max(0, ...others.map((one) => one.score));
  return (score - best) / (Math.max(score, best) || 1);
}

/** How well a word is in `terms`: 1 for itself, less for what it may mean. */
export function strengthIn(word: AskedWord | undefined, terms: Pick<ReadonlySet<string>, "has">): number {
  let best = 0;
  for (const form of word?.forms ?? []) if (form.weight > best && terms.has(form.term)) best = form.weight;
  return best;
}

/** The terms that the words may mean, with how well they say it. */
type Forms = ReadonlyMap<string, number>;

function formsOf(words: readonly AskedWord[]): Forms {
  const forms = new Map<string, number>();
  for (const word of words) for (const { term, weight } of word.forms) forms.set(term, weight);
  return forms;
}

/** The share of the words of a title that the question has, by rarity. */
function askedShare(corpus: Corpus, title: readonly string[], forms: Forms): number {
  let all = 0;
  let found = 0;
  for (const term of new Set(title)) {
    const weight = corpus.articleIndex.rarity(term);
    all += weight;
    found += weight * (forms.get(term) ?? 0);
  }
  return all === 0 ? 0 : found / all;
}

/** The share of an article's title that was said. */
export function titleShare(corpus: Corpus, { unit }: Candidate, words: readonly AskedWord[]): number {
  const found = corpus.units[unit];
  return found ? askedShare(corpus, found.fields.title, formsOf(words)) : 0;
}

/** The places of the question's terms in a passage: title, heading and text one after another, with a gap between. */
function placesIn({ fields: { title, heading, text } }: Unit, forms: Forms): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  let at = 0;
  for (const field of [title, heading, text]) {
    for (const term of field) {
      if (forms.has(term)) {
        const own = places.get(term);
        if (own) own.push(at);
        else places.set(term, [at]);
      }
      at += 1;
    }
    at += 1;
  }
  return places;
}

/** The share of neighbouring words of the question that are within `reach` words of each other in the passage. */
function pairsWithin(
  places: ReadonlyMap<string, readonly number[]>,
  asked: readonly AskedWord[],
  reach: number,
): number {
  if (asked.length < 2) return 0;
  const placesOf = (word: AskedWord) => word.forms.flatMap(({ term }) => places.get(term) ?? []);
  let found = 0;
  for (let at = 0; at + 1 < asked.length; at += 1) {
    const [one, other] = [asked[at], asked[at + 1]];
    if (!one || !other) continue;
    const next = placesOf(other);
    if (placesOf(one).some((place) => next.some((two) => two !== place && Math.abs(two - place) <= reach))) {
      found += 1;
    }
  }
  return found / (asked.length - 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
