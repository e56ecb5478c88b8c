/** Time, as everything in the service takes it: milliseconds since 1970, and timers that can be stopped. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms` milliseconds; the answer stops it. */
  after(ms: number, run: () => void): () => void;
  /** Calls `run` every `ms` milliseconds; the answer stops it. */
  every(ms: number, run: () => void): () => void;
}

/** The machine's own clock. Its timers never keep a process alive that has nothing else to do. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};
