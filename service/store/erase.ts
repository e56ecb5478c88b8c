import type { Shelf } from "../files/shelf.ts";
import type { ErasedRows, ErasureRows } from "./erasure.ts";
import type { Owner } from "./owner.ts";

/** The verified result of an erasure. */
export type Erased = Pick<ErasedRows, "conversations" | "overwritten">;

/** Every call: @throws Failure `not_found`, `unavailable` */
export interface Erasure extends Pick<ErasureRows, "exportCustomer" | "compact"> {
  /** One conversation with everything in it. Idempotent. */
  eraseConversation(owner: Owner, id: string): Promise<Erased>;
  /** The customer and all their data. */
  eraseCustomer(workspaceId: string, externalId: string): Promise<Erased>;
  /** Erases all anonymous customers without an entry since `before`; yields once for each. */
  purgeAnonymous(before: number): AsyncIterable<void>;
}

/**
 * Erases files, then rows. If it breaks off in between, the rows still say what has to be erased, and the next attempt
 * finishes it. A file that arrived meanwhile is erased afterwards.
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
    async *purgeAnonymous(before) {
      for await (const customer of rows.findForgotten(before)) {
        // The files go last here: only the transaction knows whether the customer came back.
        const { files } = await rows.purgeCustomer(customer, before);
        await shelf.remove(files);
        yield;
      }
    },
    exportCustomer: (workspaceId, externalId) => rows.exportCustomer(workspaceId, externalId),
    compact: () => rows.compact(),
  };
}
