/** What processes tell each other: a session that was ended, lines of a session that lead to an old place, entries of a log, a turn to break off. */
export type Topic = "ended" | "moved" | "feed" | "turn";

/** A name that this process has for itself, until it gives it back or dies. */
export interface Lease {
  release(): Promise<void>;
}

/** The other BFFs on the same store. Without peers a process is alone, and what it remembers is the truth. */
export interface Peers {
  /** Tells all processes, this one too. What is told while the line is down is lost, so whoever listens also looks. */
  tell(topic: Topic, text: string): void;
  hear(topic: Topic, listen: (text: string) => void): void;
  /** Runs whenever words may have been missed: the line was down, and is there again. */
  onGap(run: () => void): void;
  /**
   * Takes a name among all processes; undefined where it is taken. It is kept up while this process lives, and free some
   * seconds after it died.
   * @throws Failure unavailable, storage_full
   */
  lease(name: string): Promise<Lease | undefined>;
}
