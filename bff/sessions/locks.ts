/** Runs work that belongs to one key one after the other; work of different keys runs side by side. */
export interface Locks {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = last.get(key);
      const mine = before === undefined ? work() : before.then(work, work);
      // What waits on this must not see its failure; the caller does.
      const done = mine.then(
        () => undefined,
        () => undefined,
      );
      last.set(key, done);
      void done.then(() => {
        if (last.get(key) === done) last.delete(key);
      });
      return mine;
    },
  };
}
