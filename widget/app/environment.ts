import type { BrowserStorage } from "../client/browser-storage.ts";

/** Everything that the models use from outside; only `main.tsx` passes the browser's own. */
export interface Environment {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds; used only for durations, never for order. */
  readonly now: () => number;
  /** 0 to 1; used only for jitter. */
  readonly random: () => number;
  /** A new unguessable id that is valid in a path. */
  readonly randomId: () => string;
  /** Runs `run` once after `ms`; returns a function that cancels it. */
  readonly setTimer: (run: () => void, ms: number) => () => void;
  /** Absent if the browser refuses storage. */
  readonly storage: BrowserStorage | undefined;
  /** This tab's own storage. Absent as above. */
  readonly tabStorage?: BrowserStorage | undefined;
  /** The panel's other tabs on this site, as far as the browser reaches them. */
  readonly tabs: Tabs;
  /** Connects the tabs that show one conversation. Absent if the browser has no locks or no channels. */
  readonly joinRoom?: ((name: string, hear: (said: unknown) => void) => Room | undefined) | undefined;
  readonly isOnline: () => boolean;
  readonly isVisible: () => boolean;
  /** Whether somebody is typing in this tab's box. */
  readonly isWriting: () => boolean;
}

/**
 * "logout": everyone in this browser is signed out, with the logout's id. "switch": another customer signed in. "named":
 * the site's customer, by `externalId`. "started": there is a conversation. "erased": it was erased.
 */
export type TabMessage = "switch" | "started" | `logout ${string}` | `named ${string}` | `erased ${string}`;

export interface Tabs {
  post(message: TabMessage): void;
  listen(hear: (message: TabMessage) => void): void;
}

/** The tabs that show one conversation: each receives the others' messages, and one of them leads. */
export interface Room {
  readonly post: (said: string) => void;
  /**
   * Requests the lead, or takes it from another tab. `onLead` when it is ours; `onLost` when another tab took it, or
   * when the browser has no locks.
   */
  readonly lead: (isTaken: boolean, onLead: () => void, onLost: () => void) => void;
  readonly leave: () => void;
}
