import { isQuestion } from "./plain-words.ts";

/** A line that goes on with a small letter continues the one before it. */
const NEW_LINE = /\n\s*(?=\n|[^\s\p{Ll}])/u;
/** An empty line, a list item, a heading or a row. */
const NEW_BLOCK = /\n\s*(?:\n|[-*+•#>|]|\d+[.)])/g;
/** "Use option 2. Your account …": after a word, a number with a full stop ends a sentence; in "am 3. Juni" it does not. */
const AFTER_NUMBER = /(?<=\p{L}{4} \d{1,2}\.)\s+(?=[^\s\p{Ll}])/u;
/** What divides a statement from a question behind it: "It is cancelled – anything else?" */
const BEFORE_QUESTION = /\s[–—-]+\s|[;:]\s|\*\*\s|\p{Extended_Pictographic}/gu;

/**
 * The texts that a reader may take for a statement by itself: a sentence, and its parts, which are its lines, what follows a
 * number with a full stop, and what precedes a question at its end. A condition or a question in one of them does not excuse
 * what another one claims.
 */
export function statementsOf(sentence: string): readonly string[] {
  const block = sentence.slice(Array.from(sentence.matchAll(NEW_BLOCK)).at(-1)?.index ?? 0);
  const lines = sentence.split(NEW_LINE).flatMap((line) => line.split(AFTER_NUMBER));
  const all = [sentence, block, ...lines];
  return [...new Set(all.flatMap((text) => [text, ...beforeQuestion(text)]))].filter((text) =>
    /\p{L}/u.test(text),
  );
}

function beforeQuestion(text: string): string[] {
  if (!isQuestion(text)) return [];
  const last = Array.from(text.matchAll(BEFORE_QUESTION)).findLast(({ index }) =>
    /\p{L}/u.test(text.slice(index)),
  );
  return last === undefined ? [] : [text.slice(0, last.index)];
}
