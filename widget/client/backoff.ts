const BASE_MS = 500;
const CAP_MS = 30_000;

/**
 * The first attempts wait at most this long, so that a panel is back within 3 s of its server. Each of 1,000 panels then
 * asks some 32 times a minute, 530 in a second; when the server is back they arrive over 2.5 s.
 */
const PROMPT_CAP_MS = 2_500;
/** About two minutes. */
const PROMPT_ATTEMPTS = 64;

/** Growing delays with jitter, so that many clients never come back together: from 0.5 s, doubling up to 30 s. */
export function createBackoff(random: () => number) {
  let attempts = 0;
  let promptAttempts = 0;
  return {
    /** Milliseconds to wait; `floorMs` is the minimum that the server asked for. */
    next(floorMs = 0): number {
      const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** attempts);
      attempts = Math.min(attempts + 1, 10);
      return floorMs + random() * ceiling;
    },
    /** As `next`, while nothing answers and somebody may be looking: at most 2.5 s for about two minutes. */
    nextPrompt(): number {
      const ceiling = BASE_MS * 2 ** attempts;
      if (ceiling <= PROMPT_CAP_MS || promptAttempts >= PROMPT_ATTEMPTS) return this.next();
      promptAttempts += 1;
      return PROMPT_CAP_MS * (0.5 + random() / 2);
    },
    reset() {
      attempts = promptAttempts = 0;
    },
  };
}
