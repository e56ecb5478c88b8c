import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** Limits that keep a wrong folder (a home directory, a checkout) from filling the memory of the service. */
const MAX_ARTICLES = 2_000;
export const MAX_ARTICLE_BYTES = 1024 * 1024;
const MAX_KNOWLEDGE_BYTES = 50 * 1024 * 1024;
const MAX_DEPTH = 8;

/** One file of the folder: `path` is relative to it, with `/` on every system. */
export interface ArticleFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads every `.md` and `.markdown` file below `directory`, in the order of their paths.
 * Skips hidden entries and `node_modules`. Follows a symbolic link to a file only if the file is inside the folder.
 *
 * @throws Error with one sentence for an operator: the folder is missing, unreadable, empty or over a limit
 */
export async function readArticleFiles(directory: string): Promise<ArticleFile[]> {
  const root = await rootOf(directory);
  const paths: string[] = [];
  await collect(root, root, 0, paths);
  paths.sort();
  if (paths.length === 0)
    throw new Error(`The knowledge folder ${directory} holds no Markdown article (*.md).`);
  const files: ArticleFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const content = await readFile(path);
    bytes += content.byteLength;
    const name = relative(root, path).split(sep).join("/");
    if (content.byteLength > MAX_ARTICLE_BYTES) {
      throw new Error(`The article ${name} is larger than ${MAX_ARTICLE_BYTES / 1024} kB; split it.`);
    }
    if (bytes > MAX_KNOWLEDGE_BYTES) {
      throw new Error(`The knowledge folder ${directory} holds more than 50 MB of articles.`);
    }
    files.push({ path: name, text: content.toString("utf8") });
  }
  return files;
}

async function rootOf(directory: string): Promise<string> {
  try {
    const root = await realpath(directory);
    if ((await stat(root)).isDirectory()) return root;
  } catch (cause) {
    throw new Error(`The knowledge folder ${directory} does not exist or can't be read.`, { cause });
  }
  throw new Error(`The knowledge folder ${directory} is a file; name a folder of Markdown articles.`);
}

async function collect(root: string, folder: string, depth: number, found: string[]): Promise<void> {
  if (depth > MAX_DEPTH) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    // A linked folder is never entered: it could lead back to its parent.
    const kind = entry.isSymbolicLink() ? await kindInside(root, path) : kindOf(entry);
    if (kind === "folder" && !entry.isSymbolicLink()) await collect(root, path, depth + 1, found);
    if (kind === "file" && /\.(md|markdown)$/i.test(entry.name)) found.push(path);
    if (found.length > MAX_ARTICLES) {
      throw new Error(`The knowledge folder ${root} holds more than ${MAX_ARTICLES} articles.`);
    }
  }
}

type Kind = "file" | "folder" | "other";

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): Kind {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

/** Returns what a link points to; `other` if that is outside the folder or does not exist. */
async function kindInside(root: string, path: string): Promise<Kind> {
  try {
    const target = await realpath(path);
    return target.startsWith(root + sep) ? kindOf(await stat(target)) : "other";
  } catch {
    // A dangling link must not stop the others from being read.
    return "other";
  }
}
