import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AttachmentType } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import { isDiskFull } from "../../shared/server/disk-full.ts";
import { loopTurn } from "../../shared/server/loop-turn.ts";
import { byteStream } from "./byte-stream.ts";
import { RIFF_SIZE_AT } from "./strip-webp.ts";

/** A file on the disk, read back after it was written. */
export interface StoredBytes {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Stores files under our own ids, in one folder. Names, types and owners are in the database. */
export interface Shelf {
  /** Resolves once the file is on disk under its id. @throws Failure `storage_full`, `unavailable`; what `bytes` throws */
  store(id: string, type: AttachmentType, bytes: AsyncIterable<Uint8Array>): Promise<StoredBytes>;
  /** @throws Failure `unavailable` when the file is missing or unreadable */
  open(id: string): Promise<{ readonly size: number; readonly body: ReadableStream<Uint8Array> }>;
  /**
   * Resolves once the files are gone from the disk, including those that were missing before. @throws Failure
   * `unavailable`
   */
  remove(ids: readonly string[]): Promise<void>;
  /** Ids of the files last written before this time, including pieces of broken uploads; some at a time. */
  idsBefore(time: number): AsyncIterable<string[]>;
}

const PARTIAL = ".partial";
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY = 0o600;
const READ_BYTES = 64 * 1024;
/** Commits of messages wait for what was written to the same disk, so it is never more than this. */
const SYNC_BYTES = 512 * 1024;
/** The folder may hold very many files, and uploads wait for the same threads. */
const LOOKED_AT_ONCE = 100;

export function createShelf(folder: string): Shelf {
  const at = (name: string) => join(folder, name);
  let lastSync: Promise<void> = Promise.resolve();
  const sync = (file: FileHandle) => {
    lastSync = lastSync.catch(() => undefined).then(() => file.sync());
    return lastSync.catch(refuse);
  };
  return {
    async store(id, type, bytes) {
      const partial = at(id + PARTIAL);
      // Created with the first file, so that opening a store on a full disk does not fail because of a folder.
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER }).catch(refuse);
      try {
        const stored = await write(partial, type, bytes, sync);
        await rename(partial, at(id)).catch(refuse);
        await syncFolder(folder);
        return stored;
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
        // Without the folder there never was a file in it.
        if (!(error instanceof Failure && isMissing(error.cause))) throw error;
      });
    },
    async *idsBefore(time) {
      const names = await readdir(folder).catch((error: unknown) => (isMissing(error) ? [] : refuse(error)));
      for (let from = 0; from < names.length; from += LOOKED_AT_ONCE) {
        const old = names.slice(from, from + LOOKED_AT_ONCE).map(async (name) => {
          const found = await stat(at(name)).catch(() => undefined);
          return found?.isFile() && found.mtimeMs < time ? [name] : [];
        });
        yield (await Promise.all(old)).flat();
      }
    },
  };
}

/** Writes a file in pieces that the disk takes at once: the commit of a message waits for one of them at most. */
async function write(
  path: string,
  type: AttachmentType,
  bytes: AsyncIterable<Uint8Array>,
  sync: (file: FileHandle) => Promise<void>,
): Promise<StoredBytes> {
  const file = await open(path, "w+", OWNER_ONLY).catch(refuse);
  try {
    let size = 0;
    let synced = 0;
    for await (const chunk of bytes) {
      await loopTurn();
      await writeWhole(file, chunk, size);
      size += chunk.length;
      if (size - synced < SYNC_BYTES) continue;
      await sync(file);
      synced = size;
    }
    if (type === "image/webp") {
      const field = Buffer.alloc(4);
      field.writeUInt32LE(size - 8);
      await writeWhole(file, field, RIFF_SIZE_AT);
    }
    await sync(file);
    return { size, sha256: await hashOf(file) };
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

/** Reads into one buffer: fresh ones would bring a full garbage collection nearer, and everybody waits for that. */
async function hashOf(file: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(READ_BYTES);
  for (let from = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, from);
    if (bytesRead === 0) return hash.digest("hex");
    await loopTurn();
    hash.update(buffer.subarray(0, bytesRead));
    from += bytesRead;
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (let from = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, from);
      if (bytesRead === 0) return;
      from += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
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

/** Throws the failure that corresponds to a disk error. */
function refuse(cause: unknown): never {
  throw new Failure(isDiskFull(cause) ? "storage_full" : "unavailable", { cause });
}
