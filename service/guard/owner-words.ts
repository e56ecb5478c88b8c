import { comparable, wordsIn } from "../agents/comparable-text.ts";
import type { Claim } from "./claim.ts";
import { endsSentence, firstToken } from "./sentence-end.ts";

/** The owner's own words: the articles that an answer cites. */
export interface OwnerWords {
  add(source: string): void;
  /**
   * Whether the owner announces the same in the same words. A sentence about something that happened to somebody is not
   * the owner's promise.
   */
  promises(sentence: string, claim: Claim): boolean;
  /** Whether each line consists of whole sentences of the owner, word for word. */
  repeats(text: string): boolean;
}

/** The number of a source, which a model puts after its sentences. */
const MARKS = /\s*(?:\[\d{1,3}\]|【[^】\n]*】)/g;
/**
 * A heading that ends with a colon may be the condition of its items, so an item by itself is not a sentence of the
 * owner.
 */
const ITEM = /^\s*(?:[-*+•|>#]|\d+[.)])/;
const CLIPPED = /…\s*$/;
/** A line with this end may be the condition of the next line. */
const INTRODUCES = /[:：]\s*$/;
const QUESTION = /[?？؟]\s*$/;

/** @param base words that count too */
export function createOwnerWords(base?: OwnerWords): OwnerWords {
  const sentences = new Set<string>();
  return {
    add(source) {
      let isCondition = false;
      for (const line of source.split("\n")) {
        if (line.trim() === "") continue;
        if (!isCondition && !ITEM.test(line)) {
          for (const sentence of sentencesOf(line)) {
            const words = plain(sentence);
            if (words !== "" && !CLIPPED.test(sentence)) sentences.add(words);
          }
        }
        isCondition = INTRODUCES.test(line);
      }
    },
    promises: (sentence, claim) =>
      (claim.form === "announced" && sentences.has(plain(sentence))) ||
      base?.promises(sentence, claim) === true,
    repeats: (text) =>
      text
        .split("\n")
        .flatMap(sentencesOf)
        .every((sentence) => {
          const words = plain(sentence);
          return words === "" || sentences.has(words) || base?.repeats(sentence) === true;
        }),
  };
}

/** A question of the owner is not the same as the statement in its words. */
function plain(sentence: string): string {
  const words = wordsIn(comparable(sentence.replace(MARKS, "")));
  return QUESTION.test(sentence) ? `${words}?` : words;
}

function sentencesOf(line: string): string[] {
  const sentences: string[] = [];
  let rest = line;
  let sentence = "";
  for (let token = firstToken(rest); token; token = firstToken(rest)) {
    rest = rest.slice(token.length);
    sentence += token;
    if (!endsSentence(sentence)) continue;
    sentences.push(sentence);
    sentence = "";
  }
  return [...sentences, sentence + rest];
}
