/** The passages of one moment by their vectors. */
export interface VectorIndex {
  /** The ids of the passages nearest to a vector, nearest first. */
  nearest(vector: Float32Array): string[];
  readonly dimensions: number;
}

/** More would not change which articles are considered. */
const MOST = 50;

export function createVectorIndex(vectors: ReadonlyMap<string, Float32Array>): VectorIndex {
  const ids = [...vectors.keys()];
  const [first] = vectors.values();
  const dimensions = first?.length ?? 0;
  const all = new Float32Array(ids.length * dimensions);
  let end = 0;
  for (const vector of vectors.values()) {
    all.set(vector.subarray(0, dimensions), end);
    end += dimensions;
  }
  return {
    dimensions,
    nearest(vector) {
      const scores = ids.map((id, row) => ({ id, score: dot(all, row * dimensions, vector) }));
      return scores
        .sort((one, other) => other.score - one.score)
        .slice(0, MOST)
        .map(({ id }) => id);
    },
  };
}

function dot(all: Float32Array, start: number, vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (all[start + at] ?? 0) * (vector[at] ?? 0);
  return sum;
}
