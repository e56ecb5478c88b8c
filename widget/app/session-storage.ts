import type { TokenStorage } from "./environment.ts";

const KEY = "parley.session";

/** Where the session's token lives between two visits: the frame's own storage, else memory (decision 3). */
export interface TokenStore {
  read(): string | undefined;
  write(token: string): void;
  clear(): void;
}

/** Storage may be absent, full, cleared behind our back, or throw at each call: the token in memory is the truth (R15). */
export function createTokenStore(storage: TokenStorage | undefined): TokenStore {
  let token = attempt(() => storage?.getItem(KEY)) ?? undefined;
  return {
    read: () => token,
    write(next) {
      token = next;
      attempt(() => storage?.setItem(KEY, next));
    },
    clear() {
      token = undefined;
      attempt(() => storage?.removeItem(KEY));
    },
  };
}

function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    // The browser refuses storage here; the session then lasts as long as the frame.
    return undefined;
  }
}
