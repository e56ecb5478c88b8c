import type { Attachment } from "../../shared/attachment.ts";
import type { DeskTarget } from "./desk.ts";
import type { Owner } from "./owner.ts";

export interface NewFile {
  /** As the sender wrote it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly idempotencyKey: string | undefined;
}

export interface KeptFile {
  readonly attachment: Attachment & { readonly conversationId: string };
  /** What came, before anything was taken out of it. */
  readonly received: { readonly size: number; readonly sha256: string };
}

export interface OpenedFile {
  readonly attachment: Attachment;
  /** Bytes of the body. */
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
}

/** Every call: @throws Failure `not_found` for a missing and for a foreign id alike, `unavailable` */
export interface AttachmentStore {
  /** Resolves once the file and its row are on disk. @throws Failure `conversation_ended`, `file_too_large`, `file_not_allowed`, `too_many_files`, `key_reused`, `storage_full` */
  add(owner: Owner, conversationId: string, file: NewFile): Promise<KeptFile>;
  open(owner: Owner, conversationId: string, id: string): Promise<OpenedFile>;
  /** Only what was sent. */
  openForDesk(target: DeskTarget, id: string): Promise<OpenedFile>;
  /** Removes what was never sent, and pieces of uploads that broke off; gives how many. */
  sweep(): Promise<number>;
}
