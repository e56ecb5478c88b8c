import { negotiate } from "../../../shared/languages.ts";
import sentences from "./openai-sentences.json" with { type: "json" };

/** The agent's own sentences, where neither a model's nor the knowledge agent's fit. */
interface OpenaiSentences {
  /** No model was asked, because a limit of tokens is reached. A button for a person follows. */
  readonly limitReached: string;
  /** The model only asked for an action: the customer decides, and nothing has happened. */
  readonly actionAsked: string;
}

const SENTENCES: Readonly<Record<string, OpenaiSentences>> = sentences;

/** In the session's language, else in English. */
export function openaiSentencesFor(locale: string | undefined): OpenaiSentences {
  const [own] = negotiate(locale === undefined ? [] : [locale], Object.keys(SENTENCES));
  return SENTENCES[own] ?? sentences.en;
}
