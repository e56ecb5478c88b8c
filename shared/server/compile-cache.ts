import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** Turns on Node's compile cache, in the data folder, for everything that is imported afterwards. */
export function enableOwnCompileCache({ env, getuid }: Pick<NodeJS.Process, "env" | "getuid">): void {
  const folder = compileCacheFolder(env["DATA_DIR"]?.trim() || "./data", getuid?.());
  if (folder !== undefined) enableCompileCache(folder);
}

/**
 * Returns a folder for Node's compile cache below the data folder, created for the owner only, or undefined if there is
 * no data folder yet or someone else could write to it. Node's default is in the shared temporary folder, where another
 * user of the machine could plant a cache and so run code as us.
 */
export function compileCacheFolder(dataDir: string, userId: number | undefined): string | undefined {
  const folder = join(dataDir, "compile-cache");
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It exists, or it can't be created: the checks below decide.
  }
  const found = statOf(folder);
  if (!found?.isDirectory() || (userId !== undefined && found.uid !== userId)) return undefined;
  return (found.mode & 0o077) === 0 ? folder : undefined;
}

/** Where the data folder can't be read, the start says so; here it would end with a stack. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
