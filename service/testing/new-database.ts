import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../store/sqlite/database.ts";

let empty: Uint8Array | undefined;

/** Puts an empty database of the newest schema at `path`. The steps of the schema run once in a process: they take longer than most tests. */
export function putDatabase(path: string): void {
  empty ??= makeDatabase();
  writeFileSync(path, empty, { flag: "wx" });
}

function makeDatabase(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "parley-schema-"));
  try {
    const path = join(folder, "service.sqlite");
    openDatabase(path, 0).close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
