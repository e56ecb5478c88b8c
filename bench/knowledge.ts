import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { readEmbeddings } from "../service/agents/knowledge/embeddings/embeddings-config.ts";
import { ConfigError, createEnvironmentReader } from "../shared/server/environment.ts";
import type { Row } from "../tools/knowledge/report.ts";
import { askSet, askWithVectors, timeAnswers } from "./knowledge/ask-set.ts";
import { LANGUAGES, openCorpora, WHERE_TO_GET } from "./knowledge/corpora.ts";
import { writeMany, writeTenfold } from "./knowledge/made-folders.ts";

/**
 * How well the agent `knowledge` answers, on corpora that are not in the repository: the figures of
 * docs/decisions/0078-passages.md and, where `EMBEDDINGS_BASE_URL` names an endpoint, of 0072-embeddings.md.
 */
const MANY = 5000;
const FOUND = { least: 90 };
const FOUND_IN_XQUAD = { least: 85 };
const FOUND_AGAIN = { least: 85 };
const WRONG = { most: 6 };
const FALSE_NEAR = { most: 20 };
const FALSE_FAR = { most: 4 };
const MOST_GROWTH = 1.5;
const P95_MS = { most: 20 };

interface Bound {
  readonly least?: number;
  readonly most?: number;
}

const ROOT = new URL("..", import.meta.url).pathname;
const TESTING = join(ROOT, "service/agents/knowledge/testing");
let isMissed = false;

const given = process.argv[2] ?? process.env["KNOWLEDGE_CORPORA"];
if (given === undefined || given === "") {
  console.log(WHERE_TO_GET);
} else {
  const scratch = mkdtempSync(join(tmpdir(), "parley-bench-"));
  try {
    await measureAll(openCorpora(given, scratch), scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  process.exitCode = isMissed ? 1 : 0;
}

async function measureAll(corpora: string, scratch: string): Promise<void> {
  const stack = join(corpora, "stack");
  const english = join(corpora, "xquad-en");
  console.log(`load ${loadavg()[0]?.toFixed(1)}; shares in percent, times in ms of processor time\n`);
  console.log("| figure | n | measured | bound |\n| --- | --- | --- | --- |");
  for (const row of await askSet(stack)) printRow(row, FOUND);
  for (const language of LANGUAGES)
    for (const row of await askSet(join(corpora, `xquad-${language}`))) printRow(row, FOUND_IN_XQUAD);
  // Of so few questions a row, one wrong quote may be more than WRONG allows, so only what is found is bounded.
  const demo = { articles: join(ROOT, "demo/articles") };
  for (const row of await askSet(join(TESTING, "follow-ups.jsonl"), demo)) printRow(row, FOUND_AGAIN, {});

  const tenfold = join(scratch, "tenfold");
  writeTenfold(tenfold, join(stack, "articles"), join(english, "articles"));
  const few = await askSet(stack, { split: "all" });
  const more = await askSet(stack, { split: "all", articles: tenfold });
  const falsely = shareOf(few, "quotedWrong", false);
  const found = shareOf(few, "found", true);
  print("stack, both halves: right article quoted or offered", found.asked, found.share);
  print("stack, both halves: false answers", falsely.asked, falsely.share);
  const foundNow = shareOf(more, "found", true);
  const falselyNow = shareOf(more, "quotedWrong", false);
  print("the same in a folder ten times as large: found", foundNow.asked, foundNow.share);
  print("false answers there", falselyNow.asked, falselyNow.share, { most: MOST_GROWTH * falsely.share });

  const many = join(scratch, "many");
  writeMany(many, [join(stack, "articles"), join(english, "articles")], MANY);
  const { alone, within } = await timeAnswers(many, [stack, english]);
  for (const [what, { asked, mean, p95 }] of Object.entries({ "an answer": alone, "a follow-up": within }))
    print(`${what} at ${MANY} articles, p95; mean ${mean.toFixed(1)}`, asked, p95, P95_MS);

  const reader = createEnvironmentReader(process.env, (path) => readFileSync(path, "utf8"));
  const endpoint = readEmbeddings(reader);
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  if (!endpoint) return console.log("\nWithout EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL: words only.");
  const dataDir = join(scratch, "data");
  mkdirSync(dataDir);
  for (const path of [stack, english, join(TESTING, "english-shop")]) {
    const words = new Map((await askSet(path)).map((row) => [`${row.type} ${row.isAnswerable}`, row]));
    for (const row of await askWithVectors(path, endpoint, dataDir)) {
      const byWords = words.get(`${row.type} ${row.isAnswerable}`);
      if (!byWords) throw new Error(`${row.set} ${row.type} was not asked by words.`);
      const least = share(byWords.found, byWords.questions);
      const most = share(byWords.quotedWrong, byWords.questions);
      printRow({ ...row, set: `with vectors: ${row.set}` }, { least }, { most });
    }
  }
}

function shareOf(rows: readonly Row[], counted: "found" | "quotedWrong", isAnswerable: boolean) {
  const asked = rows.filter((row) => row.isAnswerable === isAnswerable);
  const questions = asked.reduce((all, row) => all + row.questions, 0);
  const count = asked.reduce((all, row) => all + row[counted], 0);
  return { asked: questions, share: share(count, questions) };
}

/** Titles that are only named below "I found nothing" are not found: they are counted apart. */
function printRow(row: Row, found: Bound, wrong?: Bound): void {
  const { set, type, questions, isAnswerable } = row;
  const of = (count: number) => share(count, questions);
  const kind = `${set} ${type}`;
  if (!isAnswerable) {
    const falsely = type.endsWith("near") ? FALSE_NEAR : FALSE_FAR;
    const offered = `titles offered to ${of(row.offeredWrong).toFixed(1)}`;
    print(`${kind}: false answers; ${offered}`, questions, of(row.quotedWrong), wrong ?? falsely);
    return;
  }
  const named = `${of(row.named).toFixed(1)} more only named as near`;
  print(`${kind}: right article quoted or offered; ${named}`, questions, of(row.found), found);
  print(`${kind}: wrong article quoted`, questions, of(row.quotedWrong), wrong ?? WRONG);
}

function print(figure: string, asked: number, value: number, { least, most }: Bound = {}): void {
  const isWithin = value >= (least ?? 0) && value <= (most ?? Number.POSITIVE_INFINITY);
  if (!isWithin) isMissed = true;
  const bound = [
    ...(least === undefined ? [] : [`at least ${least.toFixed(1)}`]),
    ...(most === undefined ? [] : [`at most ${most.toFixed(1)}`]),
    ...(isWithin ? [] : ["MISSED"]),
  ];
  console.log(`| ${figure} | ${asked} | ${value.toFixed(1)} | ${bound.join(", ")} |`);
}

function share(count: number, of: number): number {
  return (100 * count) / of;
}
