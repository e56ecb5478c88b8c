import type { Environment, TokenStorage } from "./environment.ts";

const KEY = "parley.session";
/** Names this browser's last logout: what another tab kept from before it is over. */
const ERA = "parley.era";

/** Where the session's token lives between two page views, else memory. */
export interface TokenStore {
  read(): string | undefined;
  /** Whether the token is one of a customer whom the site vouched for. */
  isIdentified(): boolean;
  /** An identified one stays in this tab; an anonymous one is there tomorrow, in every tab. */
  write(token: string, isIdentified: boolean): void;
  clear(): void;
  /** The token that this tab kept through a logout elsewhere: to be revoked. Given once. */
  takeStale(): string | undefined;
  /** Whether another tab logged out since the last look. */
  isOver(): boolean;
  /** This browser's last logout that this tab knows of. */
  era(): string;
  /** Marks a logout for all tabs; `id` is new. */
  endEra(id: string): void;
}

/** Storage may be absent, full, cleared behind our back, or throw at each call: the token in memory is the truth. */
export function createTokenStore(from: Pick<Environment, "storage" | "tabStorage">): TokenStore {
  const { storage, tabStorage } = from;
  const readEra = () => readFrom(storage, ERA) ?? "";
  let era = readEra();
  const [keptEra, kept] = readFrom(tabStorage, KEY)?.split(" ") ?? [];
  const isKept = kept !== undefined && keptEra === era;
  let isIdentified = isKept;
  let token = isKept ? kept : readFrom(storage, KEY);
  let stale = isKept ? undefined : kept;
  const clear = () => {
    token = undefined;
    isIdentified = false;
    for (const place of [storage, tabStorage]) writeTo(place, KEY, undefined);
  };
  return {
    // Another tab may have begun the visit since.
    read: () => (token ??= readFrom(storage, KEY)),
    isIdentified: () => isIdentified,
    write(next, identified) {
      clear();
      token = next;
      isIdentified = identified;
      if (identified) writeTo(tabStorage, KEY, `${era} ${next}`);
      else writeTo(storage, KEY, next);
    },
    clear,
    takeStale() {
      const taken = stale;
      stale = undefined;
      return taken;
    },
    isOver() {
      const before = era;
      era = readEra();
      return era !== before;
    },
    era: () => era,
    endEra(id) {
      era = id;
      writeTo(storage, ERA, id);
    },
  };
}

export function readFrom(storage: TokenStorage | undefined, key: string): string | undefined {
  try {
    return storage?.getItem(key) ?? undefined;
  } catch {
    // The browser refuses storage here; the session then lasts as long as the frame.
    return undefined;
  }
}

/** Writes a value, or removes it. Gives whether that was done. */
export function writeTo(storage: TokenStorage | undefined, key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) storage?.removeItem(key);
    else storage?.setItem(key, value);
    return storage !== undefined;
  } catch {
    // As above: what is in memory is the truth.
    return false;
  }
}
