/** Runs a request, `most` rounds of the event loop after the previous one of its address began or, if later, ended. */
type FairStart = <T>(address: string, run: () => Promise<T>, most?: number) => Promise<T>;

/** A message takes about as many rounds from its arrival to its answer. */
export const ROUNDS = 16;

/** The requests of one address. */
interface Line {
  readonly waiting: { readonly begin: () => void; readonly most: number }[];
  begun: number;
  /** Rounds of the event loop since the last one began or ended, counted while another one waits. */
  rounds: number;
}

/**
 * Lets the requests of each address begin one after another, so that a flood from one address delays the requests of
 * others by the work of about one request, and never by its whole queue. In the rounds after an end, a request of
 * another address can be answered completely; rounds without work take microseconds. No request waits for the end of a
 * long one: that one may be waiting for the service, and a whole office may share its address.
 */
export function createFairStart(): FairStart {
  const lines = new Map<string, Line>();
  /** Lines in which somebody waits. */
  const due = new Set<Line>();

  function nextRound(): void {
    for (const line of due) {
      line.rounds += 1;
      const [next] = line.waiting;
      if (next && line.rounds < next.most) continue;
      line.waiting.shift();
      line.rounds = 0;
      line.begun += 1;
      next?.begin();
      if (line.waiting.length === 0) due.delete(line);
    }
    if (due.size > 0) setImmediate(nextRound);
  }
  return async (address, run, most = ROUNDS) => {
    const before = lines.get(address);
    const line: Line = before ?? { waiting: [], begun: 1, rounds: 0 };
    if (before) {
      const turn = new Promise<void>((begin) => line.waiting.push({ begin, most }));
      if (due.size === 0) setImmediate(nextRound);
      due.add(line);
      await turn;
    } else lines.set(address, line);
    const mine = line.begun;
    try {
      return await run();
    } finally {
      // Otherwise a later request has begun meanwhile, and its end counts.
      if (line.begun === mine) {
        line.rounds = 0;
        if (line.waiting.length === 0) lines.delete(address);
      }
    }
  };
}
