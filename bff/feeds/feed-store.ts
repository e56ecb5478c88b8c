import type { LoggedEvent } from "../../shared/event.ts";

/** Names one log: a conversation in the name of the customer whose it is. Ids of two customers never meet. */
export interface LogName {
  readonly externalId: string;
  readonly conversationId: string;
}

/** Gives the entries for the places from `first` on. A store may call it twice: with places to be, and with those that they got. */
export type Place = (first: number) => readonly LoggedEvent[];

/**
 * Where the BFF keeps the logs of services that have no events. Every function rejects with Failure `unavailable` or
 * `storage_full` when the store does not work.
 */
export interface FeedStore {
  /** The seq of the last entry; 0 where there is none. */
  lastSeq(log: LogName): Promise<number>;
  /** Adds entries behind the last one, all or none, whoever else writes. Durable when it resolves; gives what it added. */
  append(log: LogName, place: Place): Promise<readonly LoggedEvent[]>;
  /** The entries behind `after`, in order. */
  read(log: LogName, after: number): Promise<readonly LoggedEvent[]>;
  /** The customer's message with this key, where the log has it. */
  find(log: LogName, clientMessageId: string): Promise<LoggedEvent | undefined>;
  /** Removes logs that were last written before these times, in milliseconds since 1970. */
  purge(before: { readonly anonymous: number; readonly identified: number }): Promise<void>;
  close(): Promise<void>;
}
