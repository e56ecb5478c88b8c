import type { Owner } from "./owner.ts";

/** What an erasure did, as it was verified. */
export interface Erased {
  readonly conversations: number;
  /**
   * Whether no copy is left in the database or its write-ahead log. False says that pieces may still lie there, until
   * `compact`: the database is large, another process reads from it, or the disk has no room.
   */
  readonly overwritten: boolean;
}

/** Everything that is kept of one customer, as JSON. */
export interface CustomerExport {
  readonly customer: Readonly<Record<string, unknown>>;
  readonly selections: readonly Readonly<Record<string, unknown>>[];
  readonly conversations: readonly Readonly<Record<string, unknown>>[];
}

/** Works on a full disk as well. Every call: @throws Failure `not_found`, `unavailable` */
export interface ErasureStore {
  /** One conversation with its events, files, keys, handoffs and the answers to its repeated requests; again is the same. */
  eraseConversation(owner: Owner, id: string): Promise<Erased>;
  /** The customer and everything that is theirs. */
  eraseCustomer(workspaceId: string, externalId: string): Promise<Erased>;
  exportCustomer(workspaceId: string, externalId: string): Promise<CustomerExport>;
  /**
   * Writes the whole database anew, so that no copy of a deleted row is left between the rows of others: the last step of
   * an erasure, which a small database needs no call for. Everything else waits for so long (about a second for 200 MB). False while another process reads the
   * older pages. @throws Failure `storage_full`, `unavailable`
   */
  compact(): Promise<boolean>;
}
