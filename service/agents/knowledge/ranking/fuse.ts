/** Small, so that the first places of both rankings count most: only those can be offered. */
const K = 2;

/**
 * Fuses two rankings by rank (reciprocal rank fusion). What only one of them has keeps its place there; of two that are
 * equal the one that `own` has first stays first.
 */
export function fuse<T>(own: readonly T[], other: readonly T[]): T[] {
  const scores = new Map<T, number>();
  for (const ranking of [own, other]) {
    for (const [place, item] of [...new Set(ranking)].entries()) {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (K + place));
    }
  }
  return [...scores].sort(([, one], [, two]) => two - one).map(([item]) => item);
}
