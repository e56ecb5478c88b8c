import type { UseCounts } from "../../shared/server/use-counts.ts";

/** What processes signal: a session ended, a customer's streams must reconnect, a log grew, a turn must stop; and a check. */
export type Topic = "ended" | "moved" | "feed" | "turn" | "probe";

export interface Signal {
  readonly topic: Topic;
  readonly text: string;
}

/**
 * One change of a write. `was` makes it conditional: the write succeeds only while the key has exactly that value or,
 * with null, does not exist. A null `value` deletes the key; a stored one expires after `lifeMs`.
 */
export type Change = { readonly key: string; readonly was?: string | null } & (
  | { readonly value: string; readonly lifeMs: number }
  | { readonly value: null }
);

/**
 * All state of the BFF: expiring text values under keys. Every function rejects with Failure `unavailable` or
 * `storage_full` when the store does not work. Others may write to the store, so values must be parsed.
 */
export interface Store extends UseCounts {
  /** Whether other processes write here too: their signals can get lost, and locks need a lease. */
  readonly isShared: boolean;
  /** The value of a live key, without a promise if it is in memory. A foreign type reads as an empty text. */
  get(key: string): string | Promise<string | undefined>;
  /**
   * Applies all changes in one atomic step and then sends the signal. Durable when it resolves.
   * @returns false, with nothing changed, when a condition does not hold
   */
  write(changes: readonly Change[], signal?: Signal): Promise<boolean>;
  /** Every key with this prefix. Keys that change meanwhile may be missing or repeated. */
  keys(prefix: string): AsyncIterable<string>;
  /** Sends a signal; on a shared store it may get lost, so a listener also polls. */
  publish(signal: Signal): void;
  subscribe(topic: Topic, listen: (text: string) => void): void;
  /** Runs `run` whenever changes or signals of others may have been missed. */
  onGap(run: () => void): void;
  close(): Promise<void>;
}
