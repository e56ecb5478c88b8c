import type { Owner } from "./owner.ts";

/** Everything that is stored about one customer, as JSON. */
export interface CustomerExport {
  readonly customer: Readonly<Record<string, unknown>>;
  readonly selections: readonly Readonly<Record<string, unknown>>[];
  readonly conversations: readonly Readonly<Record<string, unknown>>[];
}

/** What one erasure removed. */
export interface ErasedRows {
  readonly conversations: number;
  /** Ids of the files whose rows went with it: their bytes must be removed from the shelf. */
  readonly files: readonly string[];
  /**
   * Whether no copy is left in the database or its write-ahead log. False says that pieces may still lie there, until
   * `compact`: the database is large, another process reads from it, or the disk has no room.
   */
  readonly overwritten: boolean;
}

/** Works on a full disk too. Every call: @throws Failure `not_found`, `unavailable` */
export interface ErasureRows {
  /** Ids of a conversation's files; none when it was erased before. */
  filesOfConversation(owner: Owner, id: string): Promise<string[]>;
  filesOfCustomer(workspaceId: string, externalId: string): Promise<string[]>;
  /** One conversation with its events, keys, handoffs and the answers to its repeated requests. Idempotent. */
  eraseConversation(owner: Owner, id: string): Promise<ErasedRows>;
  /** The customer and everything that is theirs. */
  eraseCustomer(workspaceId: string, externalId: string): Promise<ErasedRows>;
  exportCustomer(workspaceId: string, externalId: string): Promise<CustomerExport>;
  /**
   * Leaves no copy of a deleted row between the rows of others, which may take long and hold every write up. False while
   * another process reads older pages. @throws Failure `storage_full`, `unavailable`
   */
  compact(): Promise<boolean>;
}
