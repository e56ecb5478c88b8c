/**
 * Runs a request when the one of its address before it has ended, or after `most` rounds of the event loop.
 */
export type FairStart = <T>(address: string, run: () => Promise<T>, most?: number) => Promise<T>;

/** About as many as a message takes from its arrival to its answer. */
export const MAX_ROUNDS = 16;

/** The requests of one address. */
interface Line {
  readonly waiting: { readonly begin: () => void; readonly most: number }[];
  begun: number;
  /** The request that began last has ended. */
  isFree: boolean;
  /** Rounds of the event loop since it began, counted while another one waits. */
  rounds: number;
}

/**
 * Lets the requests of each address begin one after another, so that a flood from one address delays the requests of
 * others by the work of about one request, and never by its whole queue. None waits longer than some rounds for the one
 * before it: a request may wait for the service, and an office must not wait with it. Rounds without work take
 * microseconds.
 */
export function createFairStart(): FairStart {
  const lines = new Map<string, Line>();
  /** Lines for which the next round may do something. */
  const due = new Map<string, Line>();

  function nextRound(): void {
    for (const [address, line] of due) {
      line.rounds += 1;
      const [next] = line.waiting;
      if (next && !line.isFree && line.rounds < next.most) continue;
      if (next) {
        line.waiting.shift();
        line.isFree = false;
        line.rounds = 0;
        next.begin();
      } else lines.delete(address);
      if (line.waiting.length === 0) due.delete(address);
    }
    if (due.size > 0) setImmediate(nextRound);
  }
  function look(address: string, line: Line): void {
    if (due.size === 0) setImmediate(nextRound);
    due.set(address, line);
  }
  return async (address, run, most = MAX_ROUNDS) => {
    const before = lines.get(address);
    const line: Line = before ?? { waiting: [], begun: 0, isFree: false, rounds: 0 };
    if (before) {
      const turn = new Promise<void>((begin) => line.waiting.push({ begin, most }));
      look(address, line);
      await turn;
    } else lines.set(address, line);
    line.begun += 1;
    const mine = line.begun;
    try {
      return await run();
    } finally {
      // If another one did not wait for the end, it has the place now.
      if (line.begun === mine) {
        line.isFree = true;
        look(address, line);
      }
    }
  };
}
