import * as z from "zod/mini";
import { Attachment } from "../../shared/attachment.ts";
import type { DeskTarget } from "./desk.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Owner } from "./owner.ts";

/** A file that is stored, and what came before anything was taken out of it. */
export const StoredFile = z.object({
  attachment: z.extend(Attachment, { conversationId: z.string() }),
  received: z.object({ size: z.number(), sha256: z.string() }),
});
export type StoredFile = z.infer<typeof StoredFile>;

/**
 * What is known of files; their bytes are on the shelf (`service/files/shelf.ts`).
 * Every call that names a conversation: @throws Failure `not_found` for a missing and for a foreign id alike
 */
export interface AttachmentRows {
  /** Looks whether so many more bytes may come. @throws Failure `conversation_ended`, `storage_full` */
  requireRoom(owner: Owner, conversationId: string, bytes: number): Promise<void>;
  /**
   * Stores the row of a file whose bytes are on the shelf. A repeated key gives the first answer, while that file is
   * there. @throws Failure `conversation_ended`, `too_many_files`, `storage_full`, `key_reused`
   */
  add(
    owner: Owner,
    file: StoredFile & { readonly sha256: string },
    idempotency: Idempotency | undefined,
  ): Promise<StoredFile>;
  find(owner: Owner, conversationId: string, id: string): Promise<Attachment>;
  /** Only what was sent. */
  findSent(target: DeskTarget, id: string): Promise<Attachment>;
  /** Removes the rows of files that came before this time and were never sent; gives their ids. */
  removeUnsent(before: number): Promise<string[]>;
  /** Those of the ids that have no row. */
  findStrays(ids: readonly string[]): Promise<string[]>;
}
