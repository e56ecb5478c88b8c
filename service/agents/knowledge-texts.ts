/** The knowledge agent's own sentences. Everything else in its answers is quoted. */
export const ANSWER_FRAME = "Here is what our help articles say:";
export const NOTHING_FOUND =
  "I could not find an answer to that in our help articles. You can put it in other words, or ask for a person.";
export const GREETING = "Hello! Ask me a question and I will look for the answer in our help articles.";
export const YOU_ARE_WELCOME = "You are welcome. Ask me whenever you have another question.";

/** Goes below a passage that is quoted in part, so that nobody takes it for the whole. */
export function leftOut(quoted: number, all: number, what: "lines" | "sentences" | "steps"): string {
  return `*Quoted here: ${quoted} of ${all} ${what}. The article has the others.*`;
}
