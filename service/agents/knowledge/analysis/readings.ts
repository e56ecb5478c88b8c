/** One way to read a message: the whole of it, or a part that may be all that it asks. */
export interface Reading {
  readonly text: string;
  /** Whether it asks. A part that only tells something may be beside the point. */
  readonly isQuestion: boolean;
}

/** `Intl.Segmenter` ends no sentence before a small letter, as customers write them. */
const SENTENCE_END = /(?<=[.!?؟…])\s+|(?<=[。！？])|\n+/u;
const QUESTION_MARK = /[?？؟]$/u;
/** Many customers write no question mark. A first word that also begins statements, such as "when", is not here. */
const QUESTION_WORDS = new Set(
  `how what whats where which who why can could do does is are will would may should
    wie was wo woher wohin welche welcher welches wer warum wieso kann könnt könnte gibt habt darf muss
    comment combien où quel quelle pourquoi est-ce peut-on puis-je cómo dónde cuál cuánto cuándo qué puedo hay
    come dove quanto quale perché posso como onde qual quando posso hoe waar welke waarom kan mag`.split(
    /\s+/,
  ),
);
/** A longer message is a letter: its first and last sentences say what it is about. */
const MOST = 8;

/**
 * The sentences of a longer message. Customers tell what happened, greet and thank, and one sentence asks. It is read by
 * itself and with the sentence before it: "The cup has a crack. What can I do?"
 */
export function readingsOf(text: string): Reading[] {
  const all = text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
  if (all.length < 2) return [];
  const sentences = all.length > MOST ? [...all.slice(0, MOST / 2), ...all.slice(-MOST / 2)] : all;
  return sentences.flatMap((sentence, at) => {
    const isQuestion = asks(sentence);
    const before = sentences[at - 1];
    const own = { text: sentence, isQuestion };
    return isQuestion && before ? [own, { text: `${before} ${sentence}`, isQuestion }] : [own];
  });
}

function asks(sentence: string): boolean {
  const [first = ""] = sentence.split(/[\s,]/, 1);
  return QUESTION_MARK.test(sentence) || QUESTION_WORDS.has(first.toLowerCase().replace(/[¿'’]/g, ""));
}
