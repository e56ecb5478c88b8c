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
  /** Ids of the files whose rows were removed: their bytes must be removed from the shelf. */
  readonly files: readonly string[];
  /**
   * Whether no copy is left in the database or its write-ahead log. False means that pieces may remain until `compact`:
   * the database is large, another process reads from it, or the disk is full.
   */
  readonly overwritten: boolean;
}

/** Works on a full disk too. Every call: @throws Failure `not_found`, `unavailable` */
export interface ErasureRows {
  /** Ids of a conversation's files; none if it was erased before. */
  filesOfConversation(owner: Owner, id: string): Promise<string[]>;
  filesOfCustomer(workspaceId: string, externalId: string): Promise<string[]>;
  /** One conversation with its events, keys, handoffs and the answers to its repeated requests. Idempotent. */
  eraseConversation(owner: Owner, id: string): Promise<ErasedRows>;
  /** The customer and all their data. */
  eraseCustomer(workspaceId: string, externalId: string): Promise<ErasedRows>;
  /**
   * The same for a customer whose time is over; removes nothing of one who has an entry since `before`, was identified or
   * erased. The audit log has an entry for each conversation, and none of the customer.
   */
  purgeCustomer(customer: Owner, before: number): Promise<ErasedRows>;
  /**
   * Anonymous customers without an entry since `before`, whom no person of the team answers. Those who were identified
   * later are not among them: their conversations say who started them.
   */
  findForgotten(before: number): AsyncIterable<Owner>;
  exportCustomer(workspaceId: string, externalId: string): Promise<CustomerExport>;
  /**
   * Removes copies of deleted rows from unused space, which may take long and blocks every write. False while another
   * process reads older pages. @throws Failure `storage_full`, `unavailable`
   */
  compact(): Promise<boolean>;
}
