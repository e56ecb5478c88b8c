import type { Said } from "../../service/agents/knowledge/passages.ts";
import type { Question } from "../knowledge/question-file.ts";

/** A question in a conversation, made for training. */
export interface Asked {
  readonly text: string;
  readonly before: readonly Said[];
  readonly articles: readonly string[];
}

const FOLLOW_UPS: Readonly<Record<string, readonly string[]>> = {
  en: [
    "And how long does that take?",
    "Does it cost anything?",
    "Is there another way?",
    "What if that doesn't work?",
    "Can I do this on my phone?",
    "How do I do that?",
    "Why is that?",
    "Where do I find that?",
    "Can I undo it later?",
    "What happens then?",
    "Do I need anything for it?",
    "Is that possible for several at once?",
    "And if I change my mind?",
    "can you explain the second step",
    "does it work abroad too",
    "I tried it and it failed",
    "Yes, tell me more about it",
    "Is there a limit?",
    "How much?",
    "How long?",
    "Which ones?",
    "More details please",
    "Even on weekends?",
    "Since when?",
    "Who do I contact?",
  ],
  de: [
    "Und wie lange dauert das?",
    "Kostet das etwas?",
    "Geht das auch anders?",
    "Und wenn das nicht funktioniert?",
    "Wie mache ich das?",
    "Wo finde ich das?",
    "Kann ich es später rückgängig machen?",
    "Was passiert dann?",
    "Ja, erzählen Sie mehr davon.",
    "Gibt es eine Grenze?",
    "Wie viel?",
    "Wie lange?",
    "Welche genau?",
    "Auch am Wochenende?",
    "An wen wende ich mich?",
  ],
};

/** After each exchange, questions about another subject: a customer who changes it must not be answered about the former. */
const NEW_SUBJECTS = 3;

/** Makes conversations of questions: follow-ups to what either side named, new subjects, and the same article again. */
export function conversationsOf(
  questions: readonly Question[],
  options: {
    readonly language: string;
    readonly random: () => number;
    /** What an agent says about an article: its title, and a passage for a question. */
    readonly say: (
      article: string,
      question: string,
    ) => { readonly title: string; readonly quote: string } | undefined;
  },
): Asked[] {
  const { language, random, say } = options;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const followUps = FOLLOW_UPS[language] ?? [];
  const answered = questions.filter(({ articles }) => articles.length > 0);
  const unanswered = questions.filter(({ articles }) => articles.length === 0);
  const asked: Asked[] = [];
  for (const question of answered) {
    const [article = ""] = question.articles;
    const said = random() < 0.5 ? say(article, question.text) : undefined;
    if (said === undefined) continue;
    const before = [
      { by: "customer" as const, text: question.text },
      { by: "support" as const, text: said.quote },
    ];
    asked.push({ text: pick(followUps) ?? "", before, articles: [article] });
    const named = { by: "support" as const, text: random() < 0.5 ? said.title : said.quote };
    asked.push({ text: pick(followUps) ?? "", before: [named], articles: [article] });
    for (let time = 0; time < NEW_SUBJECTS; time += 1) {
      const [other, off] = [pick(answered), pick(unanswered)];
      if (other) asked.push({ text: other.text, before, articles: other.articles });
      if (off) asked.push({ text: off.text, before, articles: [] });
    }
    const same = pick(answered.filter((one) => one !== question && one.articles.includes(article)));
    if (same) asked.push({ text: same.text, before, articles: [article] });
  }
  return asked;
}
