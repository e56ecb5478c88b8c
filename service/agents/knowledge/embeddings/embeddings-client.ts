import * as z from "zod/mini";
import { jsonOf } from "../../../../shared/json.ts";
import { readUpTo } from "../../../../shared/server/read-up-to.ts";

/** An OpenAI-compatible endpoint that turns texts into vectors. */
export interface EmbeddingsEndpoint {
  /** The whole address, such as `https://api.openai.com/v1/embeddings`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** Texts could not be turned into vectors. Its message continues a sentence about the endpoint. */
export class EmbeddingsFault extends Error {
  override readonly name = "EmbeddingsFault";
  /** The endpoint will refuse the same texts again. */
  readonly isRefusal: boolean;
  /** How long the endpoint asked to wait. */
  readonly waitMs: number;

  constructor(message: string, options: ErrorOptions & { isRefusal?: boolean; waitMs?: number } = {}) {
    super(message, options);
    this.isRefusal = options.isRefusal ?? false;
    this.waitMs = options.waitMs ?? 0;
  }
}

const Answer = z.object({
  data: z.array(z.object({ index: z.optional(z.number()), embedding: z.array(z.number()) })),
});

/** A batch of 64 vectors of 4,096 numbers has some 5 MB as JSON. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_WAIT_MS = 300_000;

/**
 * Returns one vector of length 1 for each text, in their order; all have the same dimensions.
 *
 * @throws EmbeddingsFault
 */
export async function fetchVectors(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  deps: { readonly fetch: typeof fetch; readonly signal: AbortSignal },
): Promise<Float32Array[]> {
  const { url, model, apiKey } = endpoint;
  try {
    const response = await deps.fetch(url, {
      method: "POST",
      signal: deps.signal,
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refusalOf(response);
    }
    const { bytes, isWhole } = await readUpTo(response.body, MAX_BYTES);
    if (!isWhole) throw new EmbeddingsFault("answers more than 32 MB");
    return vectorsIn(bytes.toString("utf8"), texts.length);
  } catch (cause) {
    if (cause instanceof EmbeddingsFault) throw cause;
    throw new EmbeddingsFault(deps.signal.aborted ? "did not answer in time" : "can't be reached", { cause });
  }
}

function refusalOf({ status, headers }: Response): EmbeddingsFault {
  const seconds = Number(headers.get("retry-after") ?? 0);
  const waitMs = Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 0), MAX_WAIT_MS) : 0;
  return new EmbeddingsFault(`answers ${status}`, { isRefusal: [400, 413, 422].includes(status), waitMs });
}

function vectorsIn(text: string, count: number): Float32Array[] {
  const value = jsonOf(text);
  if (value === undefined) throw new EmbeddingsFault("answers something that is not JSON");
  const parsed = Answer.safeParse(value);
  if (!parsed.success || parsed.data.data.length !== count) {
    throw new EmbeddingsFault("answers something else than one vector for each text");
  }
  const vectors: Float32Array[] = [];
  for (const [place, { index = place, embedding }] of parsed.data.data.entries()) {
    vectors[index] = unitVector(embedding);
  }
  const [first] = vectors;
  const areAlike = vectors.length === count && vectors.every((vector) => vector?.length === first?.length);
  if (!areAlike || Object.keys(vectors).length !== count) {
    throw new EmbeddingsFault("answers vectors of several dimensions or in no order");
  }
  return vectors;
}

function unitVector(numbers: readonly number[]): Float32Array {
  const vector = Float32Array.from(numbers);
  const length = Math.hypot(...[...vector.keys()].map((at) => vector[at] ?? 0));
  if (!(length > 0 && Number.isFinite(length)))
    throw new EmbeddingsFault("answers a vector without a direction");
  return vector.map((value) => value / length);
}
