import {
  type KnowledgeSentences,
  provenLanguages,
  sentencesFor,
  sessionLanguage,
} from "./knowledge-texts.ts";
import { smallTalk } from "./small-talk.ts";

export interface SmallTalkAnswer {
  readonly text: string;
  /** Anger and "are you a robot?" may be a wish for a person, and only a person can look at a file. */
  readonly offersPerson: boolean;
}

/**
 * Answers a message that is only small talk or only files; undefined for anything that may be a question.
 * @param robotIn what the agent says of itself, where the knowledge agent's sentence would not be true
 */
export function smallTalkAnswer(
  text: string,
  locale: string | undefined,
  robotIn: (locale: string | undefined, languages: readonly string[]) => KnowledgeSentences["robot"] = (
    ...where
  ) => sentencesFor(...where).robot,
): SmallTalkAnswer | undefined {
  if (text.trim() === "") return { text: sentencesFor(locale).filesUnread, offersPerson: true };
  const polite = smallTalk(text, sessionLanguage(locale));
  if (polite === undefined) return undefined;
  const { kind } = polite;
  // Only the languages whose anger is known have words of sorry.
  const languages = kind === "sorry" ? polite.languages : provenLanguages(text, polite.languages, locale);
  const sentences = sentencesFor(locale, languages);
  const fitting = kind === "robot" ? robotIn(locale, languages) : sentences[kind];
  return { text: fitting ?? sentences.greeting, offersPerson: kind === "sorry" || kind === "robot" };
}
