import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The languages of XQuAD that were converted. */
export const LANGUAGES = ["en", "de", "es", "ru", "tr", "zh"];

export const WHERE_TO_GET =
  "Not measured: name the folder of the corpora (npm run bench -- knowledge FOLDER, or KNOWLEDGE_CORPORA). They are not in this repository: StackFAQ is in ML-Recipes/BERT-FAQ and XQuAD in google-deepmind/xquad on GitHub, and each becomes a folder (stack, xquad-en, …) with questions.jsonl and articles, as docs/knowledge.md describes.";

/**
 * Returns where the corpora are: the folder itself, or `scratch` with its archives (`*.tar.gz`) unpacked.
 *
 * @throws Error with one sentence where one is missing
 */
export function openCorpora(folder: string, scratch: string): string {
  const names = ["stack", ...LANGUAGES.map((language) => `xquad-${language}`)];
  const archives = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".tar.gz")) : [];
  const root = archives.length > 0 ? join(scratch, "corpora") : folder;
  mkdirSync(root, { recursive: true });
  for (const name of archives) {
    const { status } = spawnSync("tar", ["xzf", join(folder, name), "-C", root], { stdio: "inherit" });
    if (status !== 0) throw new Error(`${join(folder, name)} can't be unpacked.`);
  }
  const missing = names.filter((name) => !existsSync(join(root, name, "questions.jsonl")));
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(", ")}. ${WHERE_TO_GET}`);
  return root;
}
