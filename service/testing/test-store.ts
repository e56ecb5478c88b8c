import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The path of a database in its own folder, which is removed after the test. */
export function newDatabasePath(): string {
  const directory = mkdtempSync(join(tmpdir(), "parley-store-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "service.sqlite");
}
