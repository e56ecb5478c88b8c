import type { Agent } from "../../service/agents/agent.ts";
import { messagesOf } from "./ask.ts";
import type { Question, QuestionSet } from "./question-file.ts";
import { type Reply, replyOf } from "./reply.ts";

/** An agent's results for the questions of one kind. */
export interface Row {
  readonly set: string;
  readonly type: string;
  readonly questions: number;
  /** Whether the articles answer them. */
  readonly isAnswerable: boolean;
  /** Counts of questions: the right article was quoted, or its title offered. */
  readonly found: number;
  readonly quotedRight: number;
  /** Another article was quoted, whatever was offered beside it. */
  readonly quotedWrong: number;
  /** Nothing was quoted, and no title that was offered is right. */
  readonly offeredWrong: number;
  /** The answer said that nothing was found, and named the right title below as one of the nearest. */
  readonly named: number;
  /** The answer said that nothing was found, and no title that it named as near is right. */
  readonly nothing: number;
  /** The number of correct quotes that contain the gold text, for questions that have one. */
  readonly spans: number;
  readonly spansHeld: number;
}

export interface Report {
  readonly rows: readonly Row[];
  /** Milliseconds of one answer. */
  readonly p50: number;
  readonly p95: number;
}

type Counts = Record<Exclude<keyof Row, "set" | "type" | "isAnswerable">, number>;

/** Asks all questions of a set and counts what customers would get. */
export async function measureSet(agent: Agent, { name, questions }: QuestionSet): Promise<Report> {
  const rows = new Map<string, Pick<Row, "set" | "type" | "isAnswerable"> & Counts>();
  const times: number[] = [];
  for (const question of questions) {
    const started = performance.now();
    const messages = messagesOf([...question.before, { by: "customer", text: question.text }]);
    const reply = await replyOf(agent, messages, undefined);
    times.push(performance.now() - started);
    const { type, articles } = question;
    const isAnswerable = articles.length > 0;
    const key = `${type}\n${isAnswerable}`;
    const row = rows.get(key) ?? { set: name, type, isAnswerable, ...empty() };
    rows.set(key, row);
    count(row, question, reply);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { rows: [...rows.values()], p50: at(0.5), p95: at(0.95) };
}

function empty(): Counts {
  const none = { questions: 0, found: 0, quotedRight: 0, quotedWrong: 0, offeredWrong: 0 };
  return { ...none, named: 0, nothing: 0, spans: 0, spansHeld: 0 };
}

function count(row: Counts, { articles, spans }: Question, reply: Reply): void {
  const [quoted] = reply.quotedIds;
  const isRight = quoted !== undefined && articles.includes(quoted);
  const isOffered = reply.offeredIds.some((id) => articles.includes(id));
  const isNothing = reply.outcome === "nothing";
  row.questions += 1;
  if (isNothing && isOffered) row.named += 1;
  else if (isRight || isOffered) row.found += 1;
  else if (quoted === undefined) row[reply.outcome === "offer" ? "offeredWrong" : "nothing"] += 1;
  if (quoted !== undefined) row[isRight ? "quotedRight" : "quotedWrong"] += 1;
  if (!isRight || spans.length === 0) return;
  row.spans += 1;
  if (spans.some((span) => plain(reply.text).includes(plain(span)))) row.spansHeld += 1;
}

function plain(text: string): string {
  return text
    .replace(/[*`\\|]/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

const HEAD = [
  "questions",
  "n",
  "found: quoted or offered",
  "quoted right",
  "quoted wrong",
  "only wrong titles offered",
  "found nothing, right title named",
  "found nothing",
  "right quote holds the gold text",
];

/** Formats reports as a Markdown table, in percent. If no article answers a question, every quote is a false answer. */
export function describeReports(reports: readonly Report[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const rows = reports.flatMap((report) => report.rows.map((row) => line(cellsOf(row))));
  const times = reports.map(({ p50, p95 }) => `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  return [
    line(HEAD),
    line(HEAD.map(() => "---")),
    ...rows,
    "",
    `One answer: ${[...new Set(times)].join("; ")}.`,
  ].join("\n");
}

function cellsOf(row: Row): (string | number)[] {
  const share = (count: number, of = row.questions) => (of === 0 ? "" : ((100 * count) / of).toFixed(1));
  return [
    `${row.set} ${row.type}`,
    row.questions,
    row.isAnswerable ? share(row.found) : "",
    row.isAnswerable ? share(row.quotedRight) : "",
    share(row.quotedWrong),
    share(row.offeredWrong),
    row.isAnswerable ? share(row.named) : "",
    share(row.nothing),
    share(row.spansHeld, row.spans),
  ];
}
