import type { Routing } from "./decide.ts";

/** The routing that new conversations go by. Running ones have their route already. */
export interface LiveRouting {
  read(): Routing;
  /** Puts a valid routing in the place of the one before; it holds from the next decision on. */
  replace(next: Routing): void;
}

/** Holds `first` until it is replaced. */
export function createLiveRouting(first: Routing): LiveRouting {
  let current = first;
  return {
    read: () => current,
    replace(next) {
      current = next;
    },
  };
}
