/** A stream of numbers that a seed reproduces exactly. */
export interface SeededRandom {
  /** 0 up to but not including 1. */
  readonly next: () => number;
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number;
  /** True with this probability, 0 to 1. */
  readonly chance: (share: number) => boolean;
  /** Lower-case hexadecimal digits. */
  readonly hex: (digits: number) => string;
  /** Another stream; this one does not advance. */
  readonly fork: (name: string) => SeededRandom;
}

/** Mulberry32: small, uniform, and the same on every machine. `seed` is any text. */
export function createSeededRandom(seed: string): SeededRandom {
  let state = hashOf(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    hex: (digits) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join(""),
    fork: (name) => createSeededRandom(`${seed}/${name}`),
  };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
