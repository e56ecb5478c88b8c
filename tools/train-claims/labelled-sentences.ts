import { globSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { claimsByPatterns } from "../../service/guard/claim-patterns.ts";
import { isQuestion, readingsOf } from "../../service/guard/plain-words.ts";

export interface LabelledSentence {
  readonly sentence: string;
  readonly isClaim: boolean;
}

const SETS = new URL("../../service/testing/labelled-claims/", import.meta.url);
/** Nothing is learned from it, so that it shows what new sentences get. */
const UNSEEN = "unseen.json";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ARTICLES = ["demo/articles/*.md", "service/agents/knowledge/testing/*/articles/*.md"];

const Sets = z.array(
  z.record(z.string(), z.object({ claims: z.array(z.string()), harmless: z.array(z.string()) })),
);

/** Sentences of agents in thirteen languages, labelled by whoever wrote them. */
export function sentencesOfSets(): LabelledSentence[] {
  const files = readdirSync(SETS).filter((name) => name.endsWith(".json") && name !== UNSEEN);
  return files
    .toSorted()
    .flatMap((name) => Sets.parse(JSON.parse(readFileSync(new URL(name, SETS), "utf8"))))
    .flatMap((set) => Object.values(set))
    .flatMap(({ claims, harmless }) => [
      ...claims.map((sentence) => ({ sentence, isClaim: true })),
      ...harmless.map((sentence) => ({ sentence, isClaim: false })),
    ]);
}

/**
 * Sentences of our test articles: what ordinary text looks like. Those in which a pattern finds a claim are left out,
 * because an article may announce what an agent may not.
 */
export function sentencesOfArticles(): LabelledSentence[] {
  return globSync(ARTICLES, { cwd: ROOT })
    .toSorted()
    .flatMap((file) => readFileSync(`${ROOT}/${file}`, "utf8").split("\n"))
    .filter((line) => line.trim() !== "" && !/^\s*[|#]/.test(line))
    .flatMap((line) => line.replace(/^\s*(?:[-*+]|\d+\.)\s+/, "").split(/(?<=[.!?])\s+(?=\p{Lu})/u))
    .filter((sentence) =>
      readingsOf(sentence).every((words) => claimsByPatterns(words, isQuestion(sentence)).length === 0),
    )
    .map((sentence) => ({ sentence, isClaim: false }));
}
