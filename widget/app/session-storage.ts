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
  /** The logouts that this tab has noticed. */
  const noticed = new Set([era]);
  const [storedEra, stored] = readFrom(tabStorage, KEY)?.split(" ") ?? [];
  const isStored = stored !== undefined && storedEra === era;
  let isIdentified = isStored;
  let token = isStored ? stored : readFrom(storage, KEY);
  let stale = isStored ? undefined : stored;
  const forget = () => {
    const own = token;
    token = undefined;
    isIdentified = false;
    writeTo(tabStorage, KEY, undefined);
    if (readFrom(storage, KEY) === own) writeTo(storage, KEY, undefined);
    return own;
  };
  return {
    /** Another tab may have started the visit since: its token is this tab's own once a session answers with it. */
    read: () => token ?? readFrom(storage, KEY),
    /** Whether the token belongs to an identified customer. */
    isIdentified: () => isIdentified,
    /**
     * An identified customer's stays in this tab and replaces `before`; an anonymous one is available tomorrow, in every
     * tab. What another tab's visitor stored stays.
     */
    write(next: string, identified: boolean, before?: string): void {
      token = next;
      isIdentified = identified;
      writeTo(tabStorage, KEY, identified ? `${era} ${next}` : undefined);
      if (!identified) writeTo(storage, KEY, next);
      else if (readFrom(storage, KEY) === before) writeTo(storage, KEY, undefined);
    },
    /** Forgets this tab's token, and returns it. One that another tab has stored since stays. */
    forget,
    /** Forgets `over`, whose session has ended. Returns whether it was this tab's token. */
    drop: (over: string): boolean => token === over && forget() === over,
    /** The token that this tab still had after a logout elsewhere, to be revoked. Returned once. */
    takeStale() {
      const taken = stale;
      stale = undefined;
      return taken;
    },
    /**
     * Whether another tab logged out since the last check: as the storage says, or the other tab's own message. Each
     * logout counts once, because the two arrive in any order, and the storage may hold none.
     */
    isOver(id?: string) {
      const before = noticed.size;
      era = readEra();
      noticed.add(era).add(id ?? era);
      return noticed.size > before;
    },
    /** This browser's last logout that this tab knows of. */
    era: () => era,
    /** Marks a logout for all tabs, whose common token is no longer stored; `id` is new. */
    endEra(id: string): void {
      token ??= readFrom(storage, KEY);
      writeTo(storage, KEY, undefined);
      era = id;
      noticed.add(id);
      writeTo(storage, ERA, id);
    },
  };
}

/** Whether files were attached in this tab and not sent. */
export function hasLeftFiles({ tabStorage }: Pick<Environment, "tabStorage">): boolean {
  return readFrom(tabStorage, LEFT_FILES) !== undefined;
}
