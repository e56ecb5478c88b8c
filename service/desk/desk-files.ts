import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

export interface DeskFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** The compressed version that the build made. */
  readonly brotli: Uint8Array<ArrayBuffer> | undefined;
}

export interface DeskFiles {
  /** A file of the desk's page by its path below `/desk`, such as `index.html` or `assets/main-x.js`. */
  find(path: string): Promise<DeskFile | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/**
 * The built page, read into memory as a whole: a request's path only selects from this map and never touches the disk.
 * It is read again when the build wrote a new index.html. Other kinds of files (source maps) are not served.
 */
export function createDeskFiles(directory: string): DeskFiles {
  let known: { readonly builtAt: number; readonly files: Promise<Map<string, DeskFile>> } | undefined;
  return {
    async find(path) {
      const builtAt = await buildTime(directory);
      if (builtAt === undefined) return undefined;
      if (known?.builtAt !== builtAt) known = { builtAt, files: readFiles(directory) };
      return (await known.files).get(path);
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

async function readFiles(directory: string): Promise<Map<string, DeskFile>> {
  const files = new Map<string, DeskFile>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = new Set(entries.map((entry) => join(entry.parentPath, entry.name)));
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(directory, path).split(sep).join("/"), {
      body: new Uint8Array(await readFile(path)),
      type,
      brotli: names.has(`${path}.br`) ? new Uint8Array(await readFile(`${path}.br`)) : undefined,
    });
  }
  return files;
}
