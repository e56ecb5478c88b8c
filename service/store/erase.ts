import type { Shelf } from "../files/shelf.ts";
import type { ErasedRows, ErasureRows } from "./erasure.ts";
import type { Owner } from "./owner.ts";

/** What an erasure did, as it was verified. */
export type Erased = Pick<ErasedRows, "conversations" | "overwritten">;

/** Every call: @throws Failure `not_found`, `unavailable` */
export interface Erasure extends Pick<ErasureRows, "exportCustomer" | "compact"> {
  /** One conversation with everything in it. Idempotent. */
  eraseConversation(owner: Owner, id: string): Promise<Erased>;
  /** The customer and everything that is theirs. */
  eraseCustomer(workspaceId: string, externalId: string): Promise<Erased>;
}

/**
 * Erases files, then rows. If it breaks off between them, the rows still say what is to be erased, and the next try ends
 * it. A file that came in between goes after them.
 */
export function createErasure(rows: ErasureRows, shelf: Shelf): Erasure {
  const erase = async (files: Promise<string[]>, eraseRows: () => Promise<ErasedRows>): Promise<Erased> => {
    await shelf.remove(await files);
    const { files: late, ...erased } = await eraseRows();
    await shelf.remove(late);
    return erased;
  };
  return {
    eraseConversation: (owner, id) =>
      erase(rows.filesOfConversation(owner, id), () => rows.eraseConversation(owner, id)),
    eraseCustomer: (workspaceId, externalId) =>
      erase(rows.filesOfCustomer(workspaceId, externalId), () => rows.eraseCustomer(workspaceId, externalId)),
    exportCustomer: (workspaceId, externalId) => rows.exportCustomer(workspaceId, externalId),
    compact: () => rows.compact(),
  };
}
