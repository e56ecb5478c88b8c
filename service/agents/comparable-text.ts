/** Accents, the marks over Arabic letters, and the dots of the Turkish I, which people leave out. */
const MARKS = /[\u0300-\u036f\u0640\u064b-\u0655\u0670]/g;

/** Makes texts, and patterns for them, comparable: lower case, without accents. */
export function comparable(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(MARKS, "")
    .replaceAll("ı", "i")
    .replaceAll("ł", "l")
    .replaceAll("ß", "ss");
}

/** The words of a comparable text, with one space between them. */
export function wordsIn(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
}
