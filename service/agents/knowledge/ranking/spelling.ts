/** Finds the words of the articles that a misspelt word may mean. */
export interface Spelling {
  near(word: string): string[];
}

/** A shorter word is near to too many others. */
const LEAST_LENGTH = 4;
const TWO_EDITS_FROM = 8;
const MOST = 3;

interface Entry {
  readonly term: string;
  readonly letters: number;
}

/** @param terms every word of the articles with the number of its places; of equally near words the common one wins */
export function createSpelling(terms: ReadonlyMap<string, number>): Spelling {
  const byLength = new Map<number, Entry[]>();
  for (const term of terms.keys()) {
    if (term.length < 3 || !/^\p{L}+$/u.test(term)) continue;
    const entries = byLength.get(term.length) ?? [];
    entries.push({ term, letters: lettersOf(term) });
    byLength.set(term.length, entries);
  }
  return {
    near(word) {
      if (word.length < LEAST_LENGTH || !/^\p{L}+$/u.test(word)) return [];
      const most = word.length < TWO_EDITS_FROM ? 1 : 2;
      const letters = lettersOf(word);
      const found: { term: string; distance: number }[] = [];
      for (let length = word.length - most; length <= word.length + most; length += 1) {
        for (const entry of byLength.get(length) ?? []) {
          // Each edit changes at most two of the letters that occur.
          if (bitCount(entry.letters ^ letters) > 2 * most) continue;
          // "Life" is no misspelt "like".
          if (word.length === LEAST_LENGTH && length === LEAST_LENGTH && entry.letters !== letters) continue;
          const distance = damerau(word, entry.term, most);
          if (distance <= most) found.push({ term: entry.term, distance });
        }
      }
      const same = (term: string) => (term.charAt(0) === word.charAt(0) ? 0 : 1);
      found.sort(
        (one, other) =>
          one.distance + same(one.term) - other.distance - same(other.term) ||
          (terms.get(other.term) ?? 0) - (terms.get(one.term) ?? 0),
      );
      const nearest = found[0]?.distance;
      return found
        .filter(({ distance }) => distance === nearest)
        .slice(0, MOST)
        .map(({ term }) => term);
    },
  };
}

function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

function bitCount(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; count += 1) left &= left - 1;
  return count;
}

/** The number of edits between two words, a swapped pair being one; more than `most` is returned as `most + 1`. */
function damerau(one: string, other: string, most: number): number {
  const width = other.length + 1;
  let before: number[] = [];
  let previous = Array.from({ length: width }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column < width; column += 1) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1;
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + change,
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    before = previous;
    previous = current;
  }
  return previous[width - 1] ?? most + 1;
}
