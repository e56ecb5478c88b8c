import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isServed, loadFolder, type StaticFile } from "../../shared/server/static-files.ts";

export interface DeskFiles {
  /** A file of the desk's page by its path below `/desk`, such as `index.html` or `assets/main-x.js`. */
  find(path: string): Promise<StaticFile | undefined>;
}

/**
 * The built page, read into memory as a whole: a request's path only selects from this map and never touches the disk.
 * It is read again when the build wrote a new index.html. Other kinds of files (source maps) are not served.
 */
export function createDeskFiles(directory: string): DeskFiles {
  let known: { readonly builtAt: number; readonly files: ReadonlyMap<string, StaticFile> } | undefined;
  return {
    async find(path) {
      const builtAt = await buildTime(directory);
      if (builtAt === undefined) return undefined;
      if (known?.builtAt !== builtAt) {
        known = { builtAt, files: loadFolder(directory, (name) => (isServed(name) ? name : undefined)) };
      }
      return known.files.get(path);
    },
  };
}

async function buildTime(directory: string): Promise<number | undefined> {
  try {
    return (await stat(join(directory, "index.html"))).mtimeMs;
  } catch {
    // The desk was not built: a sentence says so.
    return undefined;
  }
}
