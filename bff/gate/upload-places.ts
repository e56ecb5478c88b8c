import { Failure } from "../../shared/errors.ts";

/** Files of one session that may be on their way at once: a panel sends four, and there may be another tab. */
const MAX_OF_SESSION = 8;
/** Of one address: a whole office, and still fewer than there are connections to the service for files. */
const MAX_OF_ADDRESS = 40;
const WAIT_SECONDS = 10;

export type UploadPlaces = ReturnType<typeof createUploadPlaces>;

/** Files on their way in this process. Each may take two minutes, so that a few senders could else hold up all others. */
export function createUploadPlaces() {
  const taken = new Map<string, number>();
  const change = (key: string, by: number) => {
    const next = (taken.get(key) ?? 0) + by;
    if (next > 0) taken.set(key, next);
    else taken.delete(key);
  };
  const isFull = (key: string, max: number) => (taken.get(key) ?? 0) >= max;
  return {
    /** Runs `send` in a place for one file. @throws Failure `rate_limited`, what `send` throws */
    async run<T>(
      who: { readonly session: string; readonly address: string },
      send: () => Promise<T>,
    ): Promise<T> {
      const keys = [`session ${who.session}`, `address ${who.address}`] as const;
      if (isFull(keys[0], MAX_OF_SESSION) || isFull(keys[1], MAX_OF_ADDRESS)) {
        throw new Failure("rate_limited", { retryAfter: WAIT_SECONDS });
      }
      for (const key of keys) change(key, 1);
      try {
        return await send();
      } finally {
        for (const key of keys) change(key, -1);
      }
    },
  };
}
