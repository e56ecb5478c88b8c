/** Runs work of one key in order, within this process; work of different keys runs side by side. */
export interface Queue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createQueue(): Queue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = last.get(key);
      const mine = before === undefined ? work() : before.then(work, work);
      // The next in the queue must not see this failure; the caller does.
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
