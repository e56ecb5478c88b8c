const BASE_MS = 500;
const CAP_MS = 30_000;

/** Growing delays with full jitter, 0.5 s doubling up to 30 s, so that many clients never come back together. */
export function createBackoff(random: () => number) {
  let attempts = 0;
  return {
    /** Milliseconds to wait; `floorMs` is the least the server asked for. */
    next(floorMs = 0): number {
      const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** attempts);
      attempts = Math.min(attempts + 1, 10);
      return floorMs + random() * ceiling;
    },
    reset() {
      attempts = 0;
    },
  };
}
