import type { Clock } from "../../shared/server/clock.ts";
import type { Store } from "./store.ts";

/** Remembers which identity tokens were used. */
export interface UsedTokens {
  /** True for the first use of `id` among all processes. Forgotten at `until`, in milliseconds since 1970. */
  useOnce(id: string, until: number): Promise<boolean>;
}

export function createUsedTokens(store: Store, clock: Clock): UsedTokens {
  return {
    useOnce: (id, until) =>
      store.write([
        { key: `used:${id}`, was: null, value: "1", lifeMs: Math.max(1000, until - clock.now()) },
      ]),
  };
}
