/** The terms of one unit (an article or a passage of it), by field. */
export interface Fields {
  readonly title: readonly string[];
  readonly heading: readonly string[];
  readonly text: readonly string[];
}

/** The places of a term: ascending unit numbers, and how often by weighted, length-normalised fields. */
interface Postings {
  readonly units: number[];
  readonly counts: number[];
}

/** A term of a question, and how much less it says than the customer's own word. */
export interface Form {
  readonly term: string;
  readonly weight: number;
}

export interface FieldIndex {
  readonly size: number;
  /** How rare a term is; that of a term which no unit has is that of a term in one. */
  rarity(term: string): number;
  has(term: string): boolean;
  /** Whether this unit has the term. */
  isIn(term: string, unit: number): boolean;
  /** Adds the BM25F score of one word of a question, which has several forms, to `scores`. */
  add(forms: readonly Form[], scores: Float64Array, weight: number): void;
}

/** How much more a word says in a title or a heading, and how much the length of a field counts. */
const FIELD = {
  title: { weight: 2, length: 0.4 },
  heading: { weight: 1.8, length: 0.4 },
  text: { weight: 1, length: 0.7 },
} as const;
const NAMES = ["title", "heading", "text"] as const;
const SATURATION = 1.8;

/** Makes an inverted index with BM25F, unit by unit: the fields are added before they are saturated. */
export function* readFields(units: readonly Fields[]): Generator<void, FieldIndex> {
  const postings = new Map<string, Postings>();
  const mean = (name: keyof Fields) =>
    Math.max(1, units.reduce((sum, unit) => sum + unit[name].length, 0) / Math.max(1, units.length));
  const means = { title: mean("title"), heading: mean("heading"), text: mean("text") };
  for (const [number, unit] of units.entries()) {
    const counts = new Map<string, number>();
    for (const name of NAMES) {
      const { weight, length } = FIELD[name];
      const each = weight / (1 - length + (length * unit[name].length) / means[name]);
      for (const term of unit[name]) counts.set(term, (counts.get(term) ?? 0) + each);
    }
    for (const [term, count] of counts) {
      const entry = postings.get(term);
      if (entry === undefined) postings.set(term, { units: [number], counts: [count] });
      else {
        entry.units.push(number);
        entry.counts.push(count);
      }
    }
    yield;
  }
  const rarityOf = (count: number) => Math.log(1 + (units.length - count + 0.5) / (count + 0.5));
  const rarity = (term: string) => rarityOf(postings.get(term)?.units.length ?? 1);
  const scratch = new Float64Array(units.length);
  const rarest = new Float64Array(units.length);
  return {
    size: units.length,
    rarity,
    has: (term) => postings.has(term),
    isIn: (term, unit) => hasSorted(postings.get(term)?.units ?? [], unit),
    add(forms, scores, weight) {
      const touched: number[] = [];
      for (const form of forms) {
        const entry = postings.get(form.term);
        if (entry === undefined) continue;
        const rare = rarity(form.term) * form.weight;
        for (const [at, unit] of entry.units.entries()) {
          if (scratch[unit] === 0) touched.push(unit);
          scratch[unit] = (scratch[unit] ?? 0) + form.weight * (entry.counts[at] ?? 0);
          rarest[unit] = Math.max(rarest[unit] ?? 0, rare);
        }
      }
      for (const unit of touched) {
        const count = scratch[unit] ?? 0;
        const rare = rarest[unit] ?? 0;
        scratch[unit] = rarest[unit] = 0;
        scores[unit] = (scores[unit] ?? 0) + (weight * rare * count) / (SATURATION + count);
      }
    },
  };
}

function hasSorted(numbers: readonly number[], wanted: number): boolean {
  let first = 0;
  let end = numbers.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((numbers[middle] ?? 0) < wanted) first = middle + 1;
    else end = middle;
  }
  return numbers[first] === wanted;
}
