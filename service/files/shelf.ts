import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AttachmentType } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import { byteStream } from "./byte-stream.ts";
import { RIFF_SIZE_AT } from "./strip-webp.ts";

/** A file as it lies on the disk, read back after it was written. */
export interface Kept {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Files under ids of our own, in one folder. Names, types and owners are in the database. */
export interface Shelf {
  /** Resolves once the file is on disk under its id. @throws Failure `storage_full`, `unavailable`; what `bytes` throws */
  keep(id: string, type: AttachmentType, bytes: AsyncIterable<Uint8Array>): Promise<Kept>;
  /** @throws Failure `unavailable` where the file is not there or not readable */
  open(id: string): Promise<{ readonly size: number; readonly body: ReadableStream<Uint8Array> }>;
  /** Resolves once the files are gone from the disk; those that are not there are. @throws Failure `unavailable` */
  remove(ids: readonly string[]): Promise<void>;
  /** Ids of the files that were last written before, pieces of broken uploads among them. */
  idsBefore(time: number): Promise<string[]>;
}

const PARTIAL = ".partial";
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY = 0o600;
const READ_BYTES = 64 * 1024;

export function createShelf(folder: string): Shelf {
  const at = (name: string) => join(folder, name);
  return {
    async keep(id, type, bytes) {
      const partial = at(id + PARTIAL);
      // Made with its first file: whoever opens a store on a full disk must not fail for want of a folder.
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER }).catch(refuse);
      try {
        const kept = await write(partial, type, bytes);
        await rename(partial, at(id)).catch(refuse);
        await syncFolder(folder);
        return kept;
      } catch (error) {
        await rm(partial, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    async open(id) {
      const file = await open(at(id), "r").catch(refuse);
      const { size } = await file.stat();
      return { size, body: byteStream(chunksOf(file), () => file.close()) };
    },
    async remove(ids) {
      if (ids.length === 0) return;
      await Promise.all(ids.map((id) => rm(at(id), { force: true }))).catch(refuse);
      await syncFolder(folder).catch((error: unknown) => {
        // Without a folder there never was a file in it.
        if (!(error instanceof Failure && isMissing(error.cause))) throw error;
      });
    },
    async idsBefore(time) {
      const names = await readdir(folder).catch((error: unknown) => (isMissing(error) ? [] : refuse(error)));
      const old = await Promise.all(
        names.map(async (name) => {
          const found = await stat(at(name)).catch(() => undefined);
          return found && found.mtimeMs < time ? [name] : [];
        }),
      );
      return old.flat();
    },
  };
}

async function write(path: string, type: AttachmentType, bytes: AsyncIterable<Uint8Array>): Promise<Kept> {
  const file = await open(path, "w+", OWNER_ONLY).catch(refuse);
  try {
    let size = 0;
    for await (const chunk of bytes) {
      await writeWhole(file, chunk, size);
      size += chunk.length;
    }
    if (type === "image/webp") {
      const field = Buffer.alloc(4);
      field.writeUInt32LE(size - 8);
      await writeWhole(file, field, RIFF_SIZE_AT);
    }
    await file.sync().catch(refuse);
    const hash = createHash("sha256");
    for await (const chunk of chunksOf(file, false)) hash.update(chunk);
    return { size, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}

async function writeWhole(file: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, from + done).catch(refuse);
    done += bytesWritten;
  }
}

async function* chunksOf(file: FileHandle, closes = true): AsyncGenerator<Uint8Array> {
  try {
    for (let from = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, from);
      if (bytesRead === 0) return;
      from += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    if (closes) await file.close();
  }
}

/** A name is on disk only after its folder was synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(refuse);
  try {
    await handle.sync().catch(refuse);
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Throws the failure that an error of the disk means to the caller. */
function refuse(cause: unknown): never {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  throw new Failure(isFull ? "storage_full" : "unavailable", { cause });
}
