import { Failure } from "../../shared/errors.ts";
import { createPlaces } from "../../shared/server/places.ts";

/** Uploads of one session at once: a panel sends four, and there may be another tab. */
const MAX_OF_SESSION = 8;
/** Uploads of one address at once: enough for an office, and fewer than the service's connections for files. */
const MAX_OF_ADDRESS = 40;
const WAIT_SECONDS = 10;

/** Bounds the uploads of this process. Each may take two minutes, so a few senders could otherwise block all others. */
export function createUploadPlaces() {
  const places = createPlaces();
  return {
    /** Runs `send` in a place for one upload. @throws Failure `rate_limited`, and what `send` throws */
    async run<T>(
      who: { readonly session: string; readonly address: string },
      send: () => Promise<T>,
    ): Promise<T> {
      const leaveAddress = places.take(`address ${who.address}`, MAX_OF_ADDRESS);
      const leaveSession = leaveAddress && places.take(`session ${who.session}`, MAX_OF_SESSION);
      try {
        if (!leaveSession) throw new Failure("rate_limited", { retryAfter: WAIT_SECONDS });
        return await send();
      } finally {
        leaveSession?.();
        leaveAddress?.();
      }
    },
  };
}
