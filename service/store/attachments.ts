import * as z from "zod/mini";
import { Attachment } from "../../shared/attachment.ts";
import type { DeskTarget, Person } from "./desk.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Owner } from "./owner.ts";

/** Files and bytes of one conversation: enough for support, too little for file hosting. */
export const MAX_CONVERSATION_FILES = 50;
export const MAX_CONVERSATION_BYTES = 100 * 1024 * 1024;

/** A stored file, and the facts of the original before anything was stripped from it. */
export const StoredFile = z.object({
  attachment: z.extend(Attachment, { conversationId: z.string() }),
  received: z.object({ size: z.number(), sha256: z.string() }),
});
export type StoredFile = z.infer<typeof StoredFile>;

/**
 * The database's records of files; their bytes are on the shelf (`service/files/shelf.ts`). Every call that names a
 * conversation: @throws Failure `not_found` for a missing and for a foreign id alike
 */
export interface AttachmentRows {
  /** Checks whether this many more bytes fit. @throws Failure `conversation_ended`, `storage_full` */
  requireRoom(owner: Owner, conversationId: string, bytes: number): Promise<void>;
  /**
   * Stores the row of a file whose bytes are on the shelf. A repeated key returns the first answer, as long as that
   * file exists. @throws Failure `conversation_ended`, `too_many_files`, `storage_full`, `key_reused`
   */
  add(
    owner: Owner,
    file: StoredFile & { readonly sha256: string },
    idempotency: Idempotency | undefined,
  ): Promise<StoredFile>;
  /** The owner of a conversation that this person has taken. @throws Failure `conversation_ended`, `forbidden` */
  ownerFor(target: DeskTarget, person: Person): Promise<Owner>;
  find(owner: Owner, conversationId: string, id: string): Promise<Attachment>;
  /** Only files that were sent. */
  findSent(target: DeskTarget, id: string): Promise<Attachment>;
  /** Removes rows of files that arrived before this time and were never sent, at most 100; returns their ids. */
  removeUnsent(before: number): Promise<string[]>;
  /** Returns those of the ids that have no row. */
  findStrays(ids: readonly string[]): Promise<string[]>;
}
