import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StoreFault } from "../store-fault.ts";

/** The files under an open database are no longer those at its path: no later start would find what it writes. */
class DisplacedError extends StoreFault {
  override readonly name = "DisplacedError";
  constructor() {
    super(
      "The database was moved, deleted or replaced while the service runs: nothing new is stored. Put the same file back, or stop the service and restore a backup.",
    );
  }
}

/**
 * Returns a function that checks whether the open database and its write-ahead log are still the files at their paths,
 * and returns an error if they are not. Call it after a write, so that the log exists. It takes a few microseconds.
 */
export function watchPlace(database: DatabaseSync): () => StoreFault | undefined {
  const path = database.location();
  if (path === null) return () => undefined;
  const paths = [path, `${path}-wal`];
  const opened = paths.map(inodeOf);
  return () => (paths.every((each, at) => inodeOf(each) === opened[at]) ? undefined : new DisplacedError());
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
