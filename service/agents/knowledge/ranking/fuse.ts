/** The usual constant of reciprocal rank fusion: the first places of both rankings count most, but none decides alone. */
const K = 60;

/**
 * Orders `ranked` by its own places and by those of another ranking. What the other ranking lacks keeps only its own
 * place; of two that are equal the one that was first stays first.
 *
 * @param other names, best first
 */
export function fuse<T>(ranked: readonly T[], other: readonly string[], nameOf: (item: T) => string): T[] {
  const places = new Map<string, number>();
  for (const name of other) if (!places.has(name)) places.set(name, places.size);
  return ranked
    .map((item, own) => {
      const place = places.get(nameOf(item));
      return { item, score: 1 / (K + own) + (place === undefined ? 0 : 1 / (K + place)) };
    })
    .sort((one, two) => two.score - one.score)
    .map(({ item }) => item);
}
