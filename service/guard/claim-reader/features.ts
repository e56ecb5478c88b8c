/** The number of weights. Words and pieces of words that share a number share its weight, which costs little. */
export const SIZE = 2 ** 17;

/** Scripts that put no space between words: each character is read as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const SHORTEST = 3;
const LONGEST = 5;
/** A sentence has ten times as many pieces as words, and a word says more. */
const PIECE = 0.3;

export interface Feature {
  /** From 0 to `SIZE`. */
  readonly at: number;
  readonly value: number;
}

/**
 * What a sentence is judged by: its words, two and three of them in a row, the first and the last, and pieces of three to
 * five characters, which stand for the forms of words. Together they have the length 1, whatever the sentence's.
 *
 * @param words in the form of `readingsOf`
 */
export function featuresOf(words: string, isAsked: boolean): readonly Feature[] {
  const text = ` ${words.replace(/\d+/g, "0")} `;
  const read = UNSPACED.test(text) ? Array.from(text.replaceAll(" ", "")) : text.trim().split(" ");
  const values = new Map<number, number>();
  const add = (name: string, value = 1) => {
    const at = numberOf(name);
    values.set(at, (values.get(at) ?? 0) + value);
  };
  for (const [at, word] of read.entries()) {
    add(`1${word}`);
    if (at > 0) add(`2${read[at - 1]} ${word}`);
    if (at > 1) add(`3${read[at - 2]} ${read[at - 1]} ${word}`);
  }
  add(`first ${read[0]}`);
  add(`last ${read.at(-1)}`);
  add(isAsked ? "asks" : "says");
  for (let length = SHORTEST; length <= LONGEST; length += 1) {
    for (let at = 0; at + length <= text.length; at += 1) add(`c${text.slice(at, at + length)}`, PIECE);
  }
  const norm = Math.sqrt([...values.values()].reduce((sum, value) => sum + value * value, 0));
  return [...values].map(([at, value]) => ({ at, value: value / norm }));
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), whose upper bits are folded into the lower ones. */
function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) & (SIZE - 1);
}
