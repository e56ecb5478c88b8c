import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/**
 * Returns a function that checks whether the open database and its write-ahead log are no longer the files at their
 * paths: then no later start would find what is written. Call it once the log exists. It takes a few microseconds.
 */
export function watchPlace(database: DatabaseSync): () => boolean {
  const path = database.location();
  if (path === null) return () => false;
  const paths = [path, `${path}-wal`];
  const opened = paths.map(inodeOf);
  return () => paths.some((each, at) => inodeOf(each) !== opened[at]);
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
