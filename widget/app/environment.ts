/** Everything that the models take from the outside; only `main.tsx` passes the browser's own. */
export interface Environment {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds; used only for durations, never for order. */
  readonly now: () => number;
  /** 0 to 1; used only for jitter. */
  readonly random: () => number;
  /** A new unguessable id that may stand in a path. */
  readonly randomId: () => string;
  /** Runs `run` once after `ms`; returns what cancels it. */
  readonly setTimer: (run: () => void, ms: number) => () => void;
  /** Absent where the browser refuses storage. */
  readonly storage: TokenStorage | undefined;
  /** This tab's own storage. Absent as above. */
  readonly tabStorage?: TokenStorage | undefined;
  /** The panel's other tabs on this site. Absent where the browser has no way to reach them. */
  readonly tabs?: Tabs | undefined;
  /** Where the tabs that show one conversation meet. Absent where the browser has no locks or no channels. */
  readonly joinRoom?: ((name: string, hear: (said: unknown) => void) => Room | undefined) | undefined;
  readonly isOnline: () => boolean;
  /** Whether this tab is visible; absent means that it is. */
  readonly isVisible?: () => boolean;
  /** Whether somebody is writing in this tab's box. */
  readonly isWriting?: () => boolean;
}

export type TokenStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** "logout": everyone here is signed out. "switch": somebody else signed in. "started": there is a conversation. The last: it was erased. */
export type TabMessage = "logout" | "switch" | "started" | `erased ${string}`;

export interface Tabs {
  post(message: TabMessage): void;
  listen(hear: (message: TabMessage) => void): void;
}

/** The tabs that show one conversation: what one says the others hear, and one of them leads. */
export interface Room {
  readonly post: (said: string) => void;
  /**
   * Asks for the lead, or takes it from whoever has it. `onLead` when it is ours; `onLost` when another took it, or when
   * the browser has no leads to give.
   */
  readonly lead: (isTaken: boolean, onLead: () => void, onLost: () => void) => void;
  readonly leave: () => void;
}
