import { createHash } from "node:crypto";
import type { Attachment } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Random } from "../../shared/server/random.ts";
import { BrokenFile } from "../files/byte-reader.ts";
import { cleanName } from "../files/clean-name.ts";
import type { Shelf } from "../files/shelf.ts";
import { stripFile } from "../files/strip-file.ts";
import { createId } from "../ids.ts";
import type { AttachmentRows, StoredFile } from "./attachments.ts";
import { type ComingFiles, createComingFiles } from "./coming-files.ts";
import type { DeskTarget, Person } from "./desk.ts";
import type { Owner } from "./owner.ts";

/** Files that were uploaded but never sent are removed after this long. */
export const UNSENT_MS = 24 * 60 * 60 * 1000;
/** A file without a row that is younger than this may belong to a running upload. */
const UPLOADING_MS = 60 * 60 * 1000;

export interface NewFile {
  /** As the sender wrote it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly idempotencyKey: string | undefined;
}

export interface OpenedFile {
  readonly attachment: Attachment;
  /** Bytes of the body. */
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
}

/** Every call: @throws Failure `not_found` for a missing and for a foreign id alike, `unavailable` */
export interface Attachments {
  /**
   * Resolves once the file and its row are on disk. @throws Failure `conversation_ended`, `file_too_large`,
   * `file_not_allowed`, `too_many_files`, `rate_limited`, `key_reused`, `storage_full`
   */
  add(owner: Owner, conversationId: string, file: NewFile): Promise<StoredFile>;
  /** The same for the person who has taken the conversation. @throws Failure `forbidden` */
  addForDesk(target: DeskTarget, person: Person, file: NewFile): Promise<StoredFile>;
  open(owner: Owner, conversationId: string, id: string): Promise<OpenedFile>;
  /** Only files that were sent. */
  openForDesk(target: DeskTarget, id: string): Promise<OpenedFile>;
  /** Removes files that were never sent and pieces of broken uploads, a hundred at a time; returns how many. */
  sweep(isStopping?: () => boolean): Promise<number>;
}

export interface AttachDeps {
  readonly rows: AttachmentRows;
  readonly shelf: Shelf;
  readonly clock: Clock;
  readonly random: Random;
}

/** Files of conversations: their bytes on the shelf, everything else in the store. */
export function createAttachments(deps: AttachDeps): Attachments {
  const { rows, shelf, clock } = deps;
  const coming = createComingFiles();
  const open = async (attachment: Attachment) => ({ attachment, ...(await shelf.open(attachment.id)) });
  return {
    add: (owner, conversationId, file) => add(deps, coming, owner, conversationId, file),
    addForDesk: async (target, person, file) =>
      add(deps, coming, await rows.ownerFor(target, person), target.conversationId, file),
    open: async (owner, conversationId, id) => open(await rows.find(owner, conversationId, id)),
    openForDesk: async (target, id) => open(await rows.findSent(target, id)),
    async sweep(isStopping = () => false) {
      let count = 0;
      const remove = async (ids: readonly string[]) => {
        count += ids.length;
        await shelf.remove(ids);
      };
      const unsentBefore = clock.now() - UNSENT_MS;
      for (let ids = [""]; ids.length > 0 && !isStopping(); ) {
        ids = await rows.removeUnsent(unsentBefore);
        await remove(ids);
      }
      for await (const ids of shelf.idsBefore(clock.now() - UPLOADING_MS)) {
        if (isStopping()) break;
        await remove(await rows.findStrays(ids));
      }
      return count;
    },
  };
}

/** Stores one file: first its bytes, then its row. A file without a row belongs to nobody, and a sweep removes it. */
async function add(
  { rows, shelf, clock, random }: AttachDeps,
  coming: ComingFiles,
  owner: Owner,
  conversationId: string,
  file: NewFile,
): Promise<StoredFile> {
  const id = createId("att", clock.now(), random);
  const place = await coming.begin(owner.workspaceId, conversationId, (bytes) =>
    rows.requireRoom(owner, conversationId, bytes),
  );
  const received = measure(file.bytes, (count) => place.add(count));
  try {
    const { type, bytes } = await stripFile(received.bytes);
    const { size, sha256 } = await shelf.store(id, type, bytes);
    const attachment = { id, name: cleanName(file.name, type), type, size, conversationId };
    const answer = { attachment, received: received.result() };
    const idempotency = file.idempotencyKey && {
      key: file.idempotencyKey,
      bodyHash: createHash("sha256").update(`${file.name}\n${answer.received.sha256}`).digest("hex"),
    };
    const result = await rows.add(owner, { ...answer, sha256 }, idempotency || undefined);
    if (result.attachment.id !== id) await shelf.remove([id]);
    return result;
  } catch (error) {
    await shelf.remove([id]).catch(() => undefined);
    throw error instanceof BrokenFile ? new Failure("file_not_allowed", { cause: error }) : error;
  } finally {
    place.end();
  }
}

/** Counts and hashes the bytes that pass, and passes no more than `onBytes` allows. */
function measure(source: AsyncIterable<Uint8Array>, onBytes: (count: number) => Promise<void> | undefined) {
  const hash = createHash("sha256");
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      size += chunk.length;
      await onBytes(chunk.length);
      hash.update(chunk);
      yield chunk;
    }
  }
  return {
    bytes: counted(),
    result: () => ({ size, sha256: hash.copy().digest("hex") }),
  };
}
