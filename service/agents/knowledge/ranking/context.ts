import type { AskedWord } from "./asked.ts";

/** What somebody said before the question, oldest first. */
export interface Said {
  readonly by: "customer" | "support";
  readonly text: string;
}

/** A word that was said before, and how much it says about what is asked now. */
export interface ContextWord {
  readonly word: AskedWord;
  readonly weight: number;
}

/** The customer's last message says most about the subject, then what it was answered. */
const CUSTOMER = [0.7, 0.45, 0.3] as const;
const SUPPORT = 0.45;
/** An answer quotes whole passages; its rarest words are its subject. */
const MOST_WORDS = 12;
const MAX_TEXT = 1_000;

/** The words that the last messages add to a question. `wordsOf` reads a message. */
export function contextWords(
  before: readonly Said[],
  asked: readonly AskedWord[],
  wordsOf: (text: string) => readonly AskedWord[],
): ContextWord[] {
  const customer = before
    .filter(({ by }) => by === "customer")
    .slice(-CUSTOMER.length)
    .reverse();
  const support = before.findLast(({ by }) => by === "support");
  const known = new Set(asked.map(({ own }) => own));
  const words = new Map<string, ContextWord>();
  const add = (text: string, weight: number) => {
    const said = wordsOf(text.slice(0, MAX_TEXT)).filter(
      ({ own, forms }) => forms.length > 0 && !known.has(own),
    );
    said.sort((one, other) => other.weight - one.weight);
    for (const word of said.slice(0, MOST_WORDS)) {
      const before = words.get(word.own)?.weight ?? 0;
      if (weight > before) words.set(word.own, { word, weight });
    }
  };
  for (const [at, { text }] of customer.entries()) add(text, CUSTOMER[at] ?? 0);
  if (support) add(support.text, SUPPORT);
  return [...words.values()];
}
