import { readFrom, writeTo } from "../client/browser-storage.ts";
import type { Environment } from "./environment.ts";

const KEY = "parley.session";
/** The id of this browser's last logout: what a tab stored before it is invalid. */
const ERA = "parley.era";

/**
 * In this tab's storage: files were attached and not sent. Not which ones, because after a reload somebody else may be
 * there.
 */
export const LEFT_FILES = "parley.files";

export type TokenStore = ReturnType<typeof createTokenStore>;

/**
 * Stores the session's token between two page views. Storage may be absent, full, cleared meanwhile, or throw at each
 * call, so the token in memory decides.
 */
export function createTokenStore(from: Pick<Environment, "storage" | "tabStorage">) {
  const { storage, tabStorage } = from;
  const readEra = () => readFrom(storage, ERA) ?? "";
  let era = readEra();
  const [storedEra, stored] = readFrom(tabStorage, KEY)?.split(" ") ?? [];
  const isStored = stored !== undefined && storedEra === era;
  let isIdentified = isStored;
  let token = isStored ? stored : readFrom(storage, KEY);
  let stale = isStored ? undefined : stored;
  const clear = () => {
    token = undefined;
    isIdentified = false;
    for (const place of [storage, tabStorage]) writeTo(place, KEY, undefined);
  };
  return {
    // Another tab may have started the visit since.
    read: () => (token ??= readFrom(storage, KEY)),
    /** Whether the token belongs to an identified customer. */
    isIdentified: () => isIdentified,
    /** An identified customer's stays in this tab; an anonymous one is available tomorrow, in every tab. */
    write(next: string, identified: boolean): void {
      clear();
      token = next;
      isIdentified = identified;
      if (identified) writeTo(tabStorage, KEY, `${era} ${next}`);
      else writeTo(storage, KEY, next);
    },
    clear,
    /**
     * The session of `over` has ended. Another tab of this visitor may have stored the next one, which stays. Returns
     * whether `over` was this tab's token.
     */
    drop(over: string): boolean {
      if (token !== over) return false;
      if (isIdentified || readFrom(storage, KEY) === over) clear();
      token = undefined;
      return true;
    },
    /** The token that this tab still had after a logout elsewhere, to be revoked. Returned once. */
    takeStale() {
      const taken = stale;
      stale = undefined;
      return taken;
    },
    /** Whether another tab logged out since the last check. */
    isOver() {
      const before = era;
      era = readEra();
      return era !== before;
    },
    /** This browser's last logout that this tab knows of. */
    era: () => era,
    /** Marks a logout for all tabs; `id` is new. */
    endEra(id: string): void {
      era = id;
      writeTo(storage, ERA, id);
    },
  };
}

/** Whether files were attached in this tab and not sent. */
export function hasLeftFiles({ tabStorage }: Pick<Environment, "tabStorage">): boolean {
  return readFrom(tabStorage, LEFT_FILES) !== undefined;
}
