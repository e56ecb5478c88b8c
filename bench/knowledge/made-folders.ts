import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../tools/train/random.ts";

const SENTENCES = 8;
const TITLE_WORDS = 6;

/** Writes the articles of `own`, and nine times as many made of sentences of `foreign`. The same files on each run. */
export function writeTenfold(target: string, own: string, foreign: string): void {
  const articles = readArticles(own);
  const sentences = readArticles(foreign)
    .flatMap(({ text }) => text.split(/(?<=[.!?])\s+/))
    .filter((sentence) => sentence.split(" ").length > TITLE_WORDS);
  const pick = picker(sentences);
  mkdirSync(target);
  for (const { file, text } of articles) writeFileSync(join(target, file), text);
  for (let made = 0; made < articles.length * 9; made += 1) {
    const title = pick().split(" ").slice(0, TITLE_WORDS).join(" ");
    const body = Array.from({ length: SENTENCES }, pick).join(" ");
    writeFileSync(join(target, `foreign-${made}.md`), `# ${title}\n\n${body}\n`);
  }
}

/** Writes `count` articles: those of `folders`, repeated with other words in their titles. */
export function writeMany(target: string, folders: readonly string[], count: number): void {
  const articles = folders.flatMap(readArticles);
  const pick = picker(articles.flatMap(({ text }) => text.match(/\p{L}{5,}/gu) ?? []));
  mkdirSync(target);
  for (let made = 0; made < count; made += 1) {
    const { file, text } = articles[made % articles.length] ?? { file: "", text: "" };
    const isFirst = made < articles.length;
    const copy = `# ${titleOf(text)} ${pick()} ${pick()}\n\n${text.replace(/^# .*\n/, "")}`;
    writeFileSync(join(target, isFirst ? file : `${made}-${file}`), isFirst ? text : copy);
  }
}

function titleOf(text: string): string {
  const [line = ""] = text.split("\n");
  return line.replace(/^# /, "").split(" ").slice(0, TITLE_WORDS).join(" ");
}

function readArticles(folder: string): { readonly file: string; readonly text: string }[] {
  return readdirSync(folder)
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8").trimStart() }));
}

function picker(items: readonly string[]): () => string {
  const random = createRandom(1);
  return () => items[Math.floor(random() * items.length)] ?? "";
}
