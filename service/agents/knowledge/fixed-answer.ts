import type { AgentEvent, AgentQuestion } from "../agent.ts";
import { languagesOfPersonRequest } from "../person-request.ts";
import { languagesOfYes } from "./agreement.ts";
import {
  type KnowledgeSentences,
  offersPerson,
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
  const offer = (languages: readonly string[]) =>
    eventsOf(sentencesFor(locale, provenLanguages(text, languages, locale)).personOffered, true);
  const agreeing = wasOfferedPerson(messages) ? languagesOfYes(text) : [];
  if (agreeing.length > 0) return offer(agreeing);
  const polite = smallTalk(text, sessionLanguage(locale));
  if (polite !== undefined) {
    const { kind } = polite;
    if (kind === "help" && hasSubject(messages.slice(0, -1))) return undefined;
    // Only the languages whose anger is known have words of sorry.
    const languages = kind === "sorry" ? polite.languages : provenLanguages(text, polite.languages, locale);
    const sentences = sentencesFor(locale, languages);
    const named = kind === "help" || kind === "opening" ? "greeting" : kind;
    const fitting = named === "robot" ? robotIn(locale, languages) : sentences[named];
    return eventsOf(fitting ?? sentences.greeting, SUGGESTS_PERSON.has(kind));
  }
  const asking = languagesOfPersonRequest(text);
  return asking.length === 0 ? undefined : offer(asking);
}

/** Whether the answer before this message offered a person in one of our own sentences: then "yes please" is the wish. */
function wasOfferedPerson(messages: AgentQuestion["messages"]): boolean {
  const last = messages.findLast(({ role }) => role !== "customer");
  return last?.role === "agent" && offersPerson(last.body);
}

/** "Can you help me?" after a question is about that question; "One more question" is about the next. */
function hasSubject(before: AgentQuestion["messages"]): boolean {
  return before.some(({ role, body }) => role === "customer" && smallTalk(body) === undefined);
}

/** They may be a wish for a person. */
const SUGGESTS_PERSON: ReadonlySet<SmallTalk["kind"]> = new Set(["sorry", "robot", "help", "opening"]);

function eventsOf(text: string, suggestsPerson: boolean): readonly AgentEvent[] {
  return [
    { type: "delta", text },
    { type: "no.quote", reason: "fixed" },
    ...(suggestsPerson ? [{ type: "handoff.suggested" } as const] : []),
  ];
}
