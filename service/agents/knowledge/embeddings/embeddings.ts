import { setImmediate as nextTurn } from "node:timers/promises";
import { isRecent, pause } from "../../../../shared/server/clock.ts";
import { errorFacts } from "../../../../shared/server/log.ts";
import { maskSecrets } from "../../mask-secrets.ts";
import type { AgentDeps } from "../../provider.ts";
import { type EmbeddingsEndpoint, EmbeddingsFault, fetchVectors } from "./embeddings-client.ts";
import { createVectorIndex, type VectorIndex } from "./vector-index.ts";
import { openVectorStore, type VectorStore, vectorKey } from "./vector-store.ts";

/** Texts in one call. */
const BATCH = 64;
/** Models read some 8,000 tokens; in Chinese nearly every character is one. */
const MAX_TEXT = 6_000;
const BATCH_MS = 60_000;
/** A customer waits for this; without the vector the words answer. */
const QUESTION_MS = 300;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** After this many failures in a row no question is sent for a while, and no passage if none was accepted before. */
const TRIPS_AFTER = 3;
const OPEN_MS = 30_000;
/** Vectors that are read from disk in one turn of the event loop. */
const PER_TURN = 200;

export interface EmbeddedPassage {
  readonly id: string;
  readonly text: string;
}

/** Another ranking of the passages of one moment. */
export interface VectorRanking {
  /** The ids of the passages nearest to a question; undefined while there is no vector to compare. Never throws. */
  rank(question: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
}

export interface Embeddings {
  /** Begins to embed the passages, and gives up those of the former call. */
  index(passages: readonly EmbeddedPassage[]): VectorRanking;
  /** What does not work: sentences for an operator. */
  notes(): readonly string[];
}

interface EmbeddingsDeps extends AgentDeps {
  /** How long a question waits for its vector; longer in tests. */
  readonly questionMs?: number | undefined;
}

/** Ranks passages by an endpoint's vectors. Wherever the endpoint fails, the ranking by words stays as it is. */
export function createEmbeddings(endpoint: EmbeddingsEndpoint, deps: EmbeddingsDeps): Embeddings {
  const { clock, log, stopping } = deps;
  let store: VectorStore | undefined;
  let note: string | undefined;
  /** The note that the latest question's vector has other dimensions than the stored ones. */
  let misfit: string | undefined;
  let former = new AbortController();
  const failures = { inARow: 0, openedAt: 0, openMs: 0 };
  const isOpen = () => isRecent(clock, failures.openedAt, failures.openMs);

  const fill = async (passages: readonly EmbeddedPassage[], signal: AbortSignal) => {
    store ??= openVectorStore(deps.dataDir);
    const keyed = passages.map(({ id, text }) => ({ id, text: text.slice(0, MAX_TEXT), key: "" }));
    for (const passage of keyed) passage.key = vectorKey(endpoint, passage.text);
    const vectors = new Map<string, Float32Array>();
    const missing: typeof keyed = [];
    for (const [at, passage] of keyed.entries()) {
      const stored = store.read(passage.key);
      if (stored) vectors.set(passage.id, stored);
      else missing.push(passage);
      if (at % PER_TURN === 0) await nextTurn();
    }
    let waitMs = FIRST_PAUSE_MS;
    const refused: typeof keyed = [];
    const queue: (typeof missing)[] = [];
    for (let at = 0; at < missing.length; at += BATCH) queue.push(missing.slice(at, at + BATCH));
    while (queue.length > 0 && !signal.aborted) {
      const batch = queue[0] ?? [];
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(BATCH_MS)]);
        const texts = batch.map(({ text }) => text);
        const found = await fetchVectors(endpoint, texts, { fetch: deps.fetch, signal: limit });
        const made = new Map<string, Float32Array>();
        for (const [at, vector] of found.entries()) {
          const passage = batch[at];
          if (!passage) continue;
          vectors.set(passage.id, vector);
          made.set(passage.key, vector);
        }
        store.write(made);
        queue.shift();
        [waitMs, note] = [FIRST_PAUSE_MS, undefined];
      } catch (error) {
        if (!(error instanceof EmbeddingsFault)) throw error;
        if (signal.aborted) return undefined;
        if (error.isRefusal) {
          queue.shift();
          if (batch.length > 1) {
            queue.unshift(...halves(batch));
            continue;
          }
          // One text may be too long for the model; an endpoint that refuses the first few refuses all.
          refused.push(...batch);
          if (vectors.size > 0 || refused.length < TRIPS_AFTER) continue;
          queue.push(refused.splice(0));
        }
        note = `Questions are answered by words only: EMBEDDINGS_BASE_URL ${error.message}.`;
        log.warn({ reason: note }, "embeddings fail");
        await pause(clock, Math.max(waitMs, error.waitMs));
        waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS);
      }
    }
    if (signal.aborted && queue.length > 0) return undefined;
    // A command beside the service may read other articles.
    if (!signal.aborted) store.keepOnly(keyed.map(({ key }) => key));
    note =
      refused.length > 0
        ? `EMBEDDINGS_BASE_URL refuses ${refused.length} of ${keyed.length} passages: only their words find them.`
        : undefined;
    log.info({ passages: vectors.size, refused: refused.length }, "passages embedded");
    return sameDimensions(vectors);
  };

  const embedQuestion = async (text: string, signal: AbortSignal) => {
    if (isOpen()) return undefined;
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.questionMs ?? QUESTION_MS)]);
      const [vector] = await fetchVectors(endpoint, [maskSecrets(text).slice(0, MAX_TEXT)], {
        fetch: deps.fetch,
        signal: limit,
      });
      failures.inARow = 0;
      return vector;
    } catch (error) {
      if (!(error instanceof EmbeddingsFault)) throw error;
      // A question that the endpoint refuses says nothing about the next one.
      if (signal.aborted || error.isRefusal) return undefined;
      failures.inARow += 1;
      if (failures.inARow >= TRIPS_AFTER) {
        failures.openedAt = clock.now();
        failures.openMs = Math.max(OPEN_MS, error.waitMs);
      }
      return undefined;
    }
  };

  /** An endpoint may change what a model's name stands for. */
  const noteDimensions = (asked: number, stored: number) => {
    const reason = `Questions are answered by words only: EMBEDDINGS_BASE_URL answers ${asked} numbers for a text, and the stored vectors have ${stored}. Delete DATA_DIR/knowledge/vectors.sqlite and restart.`;
    if (misfit === reason) return;
    misfit = reason;
    log.warn({ reason }, "embeddings fail");
  };

  stopping.addEventListener("abort", () => {
    former.abort();
    store?.close();
    store = undefined;
  });

  return {
    index(passages) {
      former.abort();
      former = new AbortController();
      const signal = stopping.aborted ? stopping : former.signal;
      let index: VectorIndex | undefined;
      const filled = fill(passages, signal).then(
        (vectors) => {
          index = vectors && createVectorIndex(vectors);
          misfit = undefined;
        },
        (error: unknown) => {
          if (signal.aborted) return;
          note =
            "Questions are answered by words only: DATA_DIR/knowledge/vectors.sqlite can't be used. If its rights and the space on the disk are right, delete it and restart.";
          log.error(errorFacts(error), "embeddings fail");
        },
      );
      return {
        async rank(question, asking) {
          // A command that asks one question waits for the vectors on disk.
          if (stopping.aborted) await filled;
          if (!index || question.trim() === "") return undefined;
          const vector = await embedQuestion(question, asking);
          if (vector === undefined) return undefined;
          if (vector.length !== index.dimensions) {
            noteDimensions(vector.length, index.dimensions);
            return undefined;
          }
          misfit = undefined;
          return index.nearest(vector);
        },
      };
    },
    notes: () =>
      [
        misfit ??
          note ??
          (isOpen() ? "Questions are answered by words only: EMBEDDINGS_BASE_URL fails." : ""),
      ].filter(Boolean),
  };
}

function halves<T>(batch: readonly T[]): T[][] {
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)];
}

/** An endpoint may change what a model's name stands for; vectors of another length can't be compared. */
function sameDimensions(vectors: ReadonlyMap<string, Float32Array>): Map<string, Float32Array> {
  const lengths = new Map<number, number>();
  for (const { length } of vectors.values()) lengths.set(length, (lengths.get(length) ?? 0) + 1);
  const [most] = [...lengths].sort(([, one], [, other]) => other - one)[0] ?? [0];
  return new Map([...vectors].filter(([, { length }]) => length === most));
}
