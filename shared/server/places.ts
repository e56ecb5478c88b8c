/** Counts open connections or streams of this process, by key. */
export interface Places {
  /** Takes a place. Returns a function that releases it (idempotent), or undefined if the key has `max` already. */
  take(key: string, max: number): (() => void) | undefined;
}

export function createPlaces(): Places {
  const taken = new Map<string, number>();
  return {
    take(key, max) {
      const before = taken.get(key) ?? 0;
      if (before >= max) return undefined;
      taken.set(key, before + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
  };
}
