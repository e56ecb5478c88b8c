/** Everything that the model takes from the outside; only `main.tsx` has the browser's own. */
export interface Environment {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds; used for durations alone, never for order (R56). */
  readonly now: () => number;
  /** 0 to 1, for jitter alone. */
  readonly random: () => number;
  /** A new unguessable id that may stand in a path. */
  readonly randomId: () => string;
  /** Runs `run` once after `ms`; the answer cancels it. */
  readonly setTimer: (run: () => void, ms: number) => () => void;
  /** Absent where the browser refuses storage. */
  readonly storage: TokenStorage | undefined;
  /** Of this tab alone. Absent as above. */
  readonly tabStorage?: TokenStorage | undefined;
  /** The panel's other tabs on this site. Absent where the browser has no way to reach them. */
  readonly tabs?: Tabs | undefined;
  readonly isOnline: () => boolean;
}

export type TokenStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** "logout": everyone here is signed out. "switch": somebody else signed in. */
export type TabMessage = "logout" | "switch";

export interface Tabs {
  post(message: TabMessage): void;
  listen(hear: (message: TabMessage) => void): void;
}
