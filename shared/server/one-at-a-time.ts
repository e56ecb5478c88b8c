/** Runs the work of one key in order, within this process; work of different keys runs side by side. */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key);
    const mine = before === undefined ? work() : before.then(work, work);
    // The next in the queue must not see this failure; the caller does.
    const done = Promise.allSettled([mine]);
    last.set(key, done);
    void done.then(() => {
      if (last.get(key) === done) last.delete(key);
    });
    return mine;
  };
}
