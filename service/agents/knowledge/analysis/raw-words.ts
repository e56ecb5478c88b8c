/** Scripts that put no space between words: their runs are cut by the platform's dictionary. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/u;
const WORD = new RegExp(`${UNSPACED.source}|[\\p{L}\\p{N}\\p{M}]+`, "gu");
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Longer "words" are data, such as a key or a picture's address. */
const MAX_WORD = 60;

/** Cuts a text into lower-case words, in order. Marks that join parts of a word (`'`, `’`) vanish. */
export function rawWords(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    // The lower case of the Turkish "İ" is an i with a dot of its own.
    .replaceAll("i\u0307", "i")
    .replace(/(?<=\p{L})['\u2018\u2019\u00ad\u200b](?=\p{L})/gu, "");
  const words: string[] = [];
  for (const [run] of plain.matchAll(WORD)) {
    if (UNSPACED.test(run)) words.push(...unspacedWords(run));
    else if (run.length <= MAX_WORD) words.push(run);
  }
  return words;
}

/** Pairs of characters find words that the dictionary does not have, such as names. */
function unspacedWords(run: string): string[] {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) words.add(segment);
  const characters = Array.from(run);
  for (let at = 0; at + 1 < characters.length; at += 1) words.add(`${characters[at]}${characters[at + 1]}`);
  return [...words];
}

const MARKS = /[\u0300-\u036f\u0640\u064b-\u0655\u0670]/g;

/** The form in which words are compared: without accents, and without the spellings that replace them. */
export function plainWord(word: string): string {
  return /^[a-z0-9]*$/.test(word)
    ? word
    : word
        .normalize("NFD")
        .replace(MARKS, "")
        .normalize("NFC")
        .replaceAll("ı", "i")
        .replaceAll("ł", "l")
        .replaceAll("ß", "ss")
        .replaceAll("ø", "o")
        .replaceAll("æ", "ae");
}
