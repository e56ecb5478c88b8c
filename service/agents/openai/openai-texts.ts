import { customerLanguage } from "../knowledge/knowledge-texts.ts";
import sentences from "./openai-sentences.json" with { type: "json" };

/** The agent's own sentences, where neither a model's nor the knowledge agent's fit. */
interface OpenaiSentences {
  /** No model was asked, because a limit of tokens is reached. A button for a person follows. */
  readonly limitReached: string;
  /** The model only asked for an action: the customer decides, and nothing has happened. */
  readonly actionAsked: string;
  /** The same of an action that only a person of the team may allow. */
  readonly teamAsked: string;
  /** Answers "are you a robot?". This agent quotes nothing, so the knowledge agent's sentence would not be true. */
  readonly robot: string;
}

const SENTENCES: Readonly<Record<string, OpenaiSentences>> = sentences;

/** Returns the sentences for a customer, in the language that `customerLanguage` describes, or in English. */
export function openaiSentencesFor(
  locale: string | undefined,
  written: readonly string[] = [],
): OpenaiSentences {
  return SENTENCES[customerLanguage(locale, written, Object.keys(SENTENCES))] ?? sentences.en;
}
