import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "../../../../shared/server/make-folder.ts";
import { transact } from "../../../../shared/server/transact.ts";
import { sha256 } from "../../../ids.ts";

/** Vectors on disk by what they were made from, so that each text is sent once. */
export interface VectorStore {
  read(key: string): Float32Array | undefined;
  write(vectors: ReadonlyMap<string, Float32Array>): void;
  /** Removes all others. */
  keepOnly(keys: Iterable<string>): void;
  close(): void;
}

/** A vector belongs to its text, its model and its endpoint. */
export function vectorKey(endpoint: { readonly url: string; readonly model: string }, text: string): string {
  const { url, model } = endpoint;
  return sha256(JSON.stringify([url, model, text]));
}

/** @throws Error of the file system or of SQLite */
export function openVectorStore(dataDir: string): VectorStore {
  const folder = join(dataDir, "knowledge");
  makeFolder(folder);
  const database = new DatabaseSync(join(folder, "vectors.sqlite"), { timeout: 2000 });
  // Everything in it can be fetched again, so a power cut may lose the last writes.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL) STRICT, WITHOUT ROWID`);
  const select = database.prepare("SELECT vector FROM vectors WHERE key = ?");
  const insert = database.prepare("INSERT OR REPLACE INTO vectors (key, vector) VALUES (?, ?)");
  return {
    read(key) {
      const vector = select.get(key)?.["vector"];
      if (!(vector instanceof Uint8Array) || vector.byteLength % 4 !== 0) return undefined;
      return new Float32Array(vector.slice().buffer);
    },
    write(vectors) {
      transact(database, () => {
        for (const [key, { buffer, byteOffset, byteLength }] of vectors) {
          insert.run(key, new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
        }
      });
    },
    keepOnly(keys) {
      database
        .prepare("DELETE FROM vectors WHERE key NOT IN (SELECT value FROM json_each(?))")
        .run(JSON.stringify([...keys]));
    },
    close: () => database.close(),
  };
}
