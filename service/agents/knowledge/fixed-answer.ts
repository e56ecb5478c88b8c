import type { AgentEvent } from "../agent.ts";
import { languagesOfPersonRequest } from "../person-request.ts";
import {
  type KnowledgeSentences,
  provenLanguages,
  sentencesFor,
  sessionLanguage,
} from "./knowledge-texts.ts";
import { smallTalk } from "./small-talk.ts";

/**
 * Answers a message that is only small talk, only files or a wish for a person; undefined for anything that may be a
 * question.
 * @param robotIn what the agent says of itself, where the knowledge agent's sentence would not be true
 */
export function fixedAnswer(
  text: string,
  locale: string | undefined,
  robotIn: (locale: string | undefined, languages: readonly string[]) => KnowledgeSentences["robot"] = (
    ...where
  ) => sentencesFor(...where).robot,
): readonly AgentEvent[] | undefined {
  if (text.trim() === "") return eventsOf(sentencesFor(locale).filesUnread, true);
  const polite = smallTalk(text, sessionLanguage(locale));
  if (polite !== undefined) {
    const { kind } = polite;
    // Only the languages whose anger is known have words of sorry.
    const languages = kind === "sorry" ? polite.languages : provenLanguages(text, polite.languages, locale);
    const sentences = sentencesFor(locale, languages);
    const fitting = kind === "robot" ? robotIn(locale, languages) : sentences[kind];
    return eventsOf(fitting ?? sentences.greeting, kind === "sorry" || kind === "robot");
  }
  const asking = languagesOfPersonRequest(text);
  if (asking.length === 0) return undefined;
  return eventsOf(sentencesFor(locale, provenLanguages(text, asking, locale)).personOffered, true);
}

/** @param offersPerson anger and "are you a robot?" may be a wish for a person, and only a person can look at a file */
function eventsOf(text: string, offersPerson: boolean): readonly AgentEvent[] {
  return [
    { type: "delta", text },
    { type: "no.quote", reason: "fixed" },
    ...(offersPerson ? [{ type: "handoff.suggested" } as const] : []),
  ];
}
