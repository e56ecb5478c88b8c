import { createEmbeddings } from "../../service/agents/knowledge/embeddings/embeddings.ts";
import type { EmbeddingsEndpoint } from "../../service/agents/knowledge/embeddings/embeddings-client.ts";
import { createLibraryAgent } from "../../service/agents/knowledge/knowledge.ts";
import { openSources } from "../../service/agents/knowledge/open-knowledge.ts";
import type { Said } from "../../service/agents/knowledge/passages.ts";
import { readFolder } from "../../service/agents/knowledge/sources/folder-source.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { SILENT_LOG } from "../../shared/server/log.ts";
import { messagesOf } from "../../tools/knowledge/ask.ts";
import { type QuestionSet, readQuestionSet, selectQuestions } from "../../tools/knowledge/question-file.ts";
import { replyOf } from "../../tools/knowledge/reply.ts";
import { measureSet, type Row } from "../../tools/knowledge/report.ts";

const QUESTION_MS = 60_000;

/** Asks as `npm run knowledge -- report` does. */
export async function askSet(
  path: string,
  { articles, split = "test" }: { readonly articles?: string; readonly split?: "test" | "all" } = {},
): Promise<readonly Row[]> {
  const set = readQuestionSet(path, articles);
  return measure(set, split, await openSources([readFolder(set.articles)]));
}

/** The same, with the vectors of an endpoint, each waited for. They are stored in `dataDir`. */
export async function askWithVectors(
  path: string,
  endpoint: EmbeddingsEndpoint,
  dataDir: string,
): Promise<readonly Row[]> {
  const set = readQuestionSet(path, undefined);
  const stopping = new AbortController();
  const embedded = Promise.withResolvers<void>();
  const log = {
    ...SILENT_LOG,
    info: () => embedded.resolve(),
    warn: ({ reason }: { readonly reason?: unknown }) => embedded.reject(new Error(String(reason))),
  };
  const embeddings = createEmbeddings(endpoint, {
    clock: systemClock,
    log,
    fetch,
    dataDir,
    stopping: stopping.signal,
    questionMs: QUESTION_MS,
  });
  try {
    const library = await openSources([readFolder(set.articles)], undefined, { embeddings });
    await embedded.promise;
    const rows = await measure(set, "test", library);
    const [note] = embeddings.notes();
    if (note !== undefined) throw new Error(note);
    return rows;
  } finally {
    stopping.abort();
  }
}

async function measure(
  set: QuestionSet,
  split: "test" | "all",
  library: Awaited<ReturnType<typeof openSources>>,
): Promise<readonly Row[]> {
  const known = new Set(library.current()?.search.all.map(({ article }) => article));
  const questions = selectQuestions(set, split, known);
  const { rows } = await measureSet(createLibraryAgent(library), { ...set, questions });
  return rows;
}

interface Times {
  readonly asked: number;
  readonly mean: number;
  readonly p95: number;
}

/**
 * Measures the milliseconds of processor time of an answer: by itself, and to a short follow-up. Some kernels count in steps
 * of 4 ms, which the mean evens out.
 */
export async function timeAnswers(
  articles: string,
  paths: readonly string[],
): Promise<{ readonly alone: Times; readonly within: Times }> {
  const agent = createLibraryAgent(await openSources([readFolder(articles)]));
  const texts = paths.flatMap((path) =>
    readQuestionSet(path, undefined).questions.flatMap(({ text, split }) => (split === "test" ? [text] : [])),
  );
  const timed = async (times: number[], said: readonly Said[]) => {
    const before = process.threadCpuUsage();
    const reply = await replyOf(agent, messagesOf(said), undefined);
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1000);
    return reply;
  };
  const alone: number[] = [];
  const within: number[] = [];
  for (const [at, text] of texts.entries()) {
    const { text: answer } = await timed(alone, [{ by: "customer", text }]);
    // It has at most two telling words, so it is also read with what was said before.
    const next = `And what about ${(texts[at + 1] ?? text).split(" ").slice(-2).join(" ")}`;
    const before: Said[] = [
      { by: "customer", text },
      { by: "support", text: answer },
    ];
    await timed(within, [...before, { by: "customer", text: next }]);
  }
  return { alone: timesOf(alone), within: timesOf(within) };
}

function timesOf(times: readonly number[]): Times {
  const asked = times.length;
  const sorted = times.toSorted((one, other) => one - other);
  const p95 = sorted[Math.floor(asked * 0.95)] ?? Number.NaN;
  return { asked, mean: times.reduce((all, time) => all + time, 0) / asked, p95 };
}
