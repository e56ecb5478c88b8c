import type { AgentEvent, AgentQuestion } from "../agent.ts";
import { languagesOfPersonRequest } from "../person-request.ts";
import {
  type KnowledgeSentences,
  provenLanguages,
  sentencesFor,
  sessionLanguage,
} from "./knowledge-texts.ts";
import { type SmallTalk, smallTalk } from "./small-talk.ts";

/**
 * Answers a message that is only small talk, only files or a wish for a person; undefined for anything that may be a
 * question.
 * @param robotIn what the agent says of itself, where the knowledge agent's sentence would not be true
 */
export function fixedAnswer(
  { text, locale, messages }: Pick<AgentQuestion, "text" | "locale" | "messages">,
  robotIn: (locale: string | undefined, languages: readonly string[]) => KnowledgeSentences["robot"] = (
    ...where
  ) => sentencesFor(...where).robot,
): readonly AgentEvent[] | undefined {
  if (text.trim() === "") return eventsOf(sentencesFor(locale).filesUnread, true);
  const polite = smallTalk(text, sessionLanguage(locale));
  if (polite !== undefined) {
    const { kind } = polite;
    if (kind === "help" && hasSubject(messages.slice(0, -1))) return undefined;
    // Only the languages whose anger is known have words of sorry.
    const languages = kind === "sorry" ? polite.languages : provenLanguages(text, polite.languages, locale);
    const sentences = sentencesFor(locale, languages);
    const named = kind === "help" ? "greeting" : kind;
    const fitting = named === "robot" ? robotIn(locale, languages) : sentences[named];
    return eventsOf(fitting ?? sentences.greeting, OFFERS_PERSON.has(kind));
  }
  const asking = languagesOfPersonRequest(text);
  if (asking.length === 0) return undefined;
  return eventsOf(sentencesFor(locale, provenLanguages(text, asking, locale)).personOffered, true);
}

/** "Can you help me?" after a question is about that question. */
function hasSubject(before: AgentQuestion["messages"]): boolean {
  return before.some(({ role, body }) => role === "customer" && smallTalk(body) === undefined);
}

/** They may be a wish for a person. */
const OFFERS_PERSON: ReadonlySet<SmallTalk["kind"]> = new Set(["sorry", "robot", "help"]);

function eventsOf(text: string, offersPerson: boolean): readonly AgentEvent[] {
  return [
    { type: "delta", text },
    { type: "no.quote", reason: "fixed" },
    ...(offersPerson ? [{ type: "handoff.suggested" } as const] : []),
  ];
}
