const inFlight = new Set<Promise<unknown>>();
const ignore = () => undefined;

/** Counts a call that the real service will answer, so that `answersGiven` waits for it. */
export function counted<T>(work: Promise<T>): Promise<T> {
  const settled: Promise<unknown> = work.then(ignore, ignore).finally(() => inFlight.delete(settled));
  inFlight.add(settled);
  return work;
}

/** Resolves when no call of a fake waits for the real service's answer. Returns whether one did. */
export async function answersGiven(): Promise<boolean> {
  const waited = inFlight.size > 0;
  while (inFlight.size > 0) await Promise.allSettled(inFlight);
  return waited;
}
