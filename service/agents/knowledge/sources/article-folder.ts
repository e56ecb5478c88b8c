import { isUtf8 } from "node:buffer";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { splitFrontMatter } from "../front-matter.ts";
import type { ArticleFile } from "./article-file.ts";
import { firstFew } from "./first-few.ts";
import { htmlArticle } from "./html-article.ts";

/** A larger file is no article, and would stall every customer while it is parsed. */
export const MAX_ARTICLE_BYTES = 1024 * 1024;
const MAX_DEPTH = 8;
const MARKDOWN = /\.(md|markdown)$/i;
const HTML = /\.html?$/i;

/** A file of the folder, and what shows that it changed. */
export interface ListedFile {
  /** Relative to the folder, with `/` on every system. */
  readonly path: string;
  readonly absolute: string;
  readonly version: string;
}

/**
 * Lists the Markdown and HTML files below `directory`, in the order of their paths.
 * Skips hidden entries and `node_modules`. Follows a symbolic link to a file only if the file is inside the folder.
 *
 * @throws Error with one sentence for an operator: the folder is missing or unreadable
 */
export async function listArticleFiles(directory: string): Promise<ListedFile[]> {
  const root = await rootOf(directory);
  const { files: paths } = await collect(root);
  paths.sort();
  const listed: ListedFile[] = [];
  for (const absolute of paths) {
    const { size, mtimeMs, ino } = await stat(absolute);
    const path = relative(root, absolute).split(sep).join("/");
    listed.push({ path, absolute, version: `${path} ${size} ${mtimeMs} ${ino}` });
  }
  return listed;
}

/** Lists `directory` and the folders below it that may hold articles. @throws Error as `listArticleFiles` */
export async function listArticleFolders(directory: string): Promise<readonly string[]> {
  return (await collect(await rootOf(directory))).folders;
}

/** The articles of a folder, and sentences for an operator about files that are broken. */
export interface ReadFiles {
  readonly files: readonly ArticleFile[];
  readonly notes: readonly string[];
}

/**
 * Reads the listed files; HTML pages become Markdown. Leaves out drafts, and files that are not UTF-8.
 *
 * @throws Error with one sentence for an operator: the folder holds no article, or names the file that can't be read
 */
export async function readArticleFiles(
  directory: string,
  listed?: readonly ListedFile[],
): Promise<ReadFiles> {
  const found = listed ?? (await listArticleFiles(directory));
  if (found.length === 0) {
    throw new Error(
      `The knowledge folder ${directory} holds no Markdown article (*.md) and no page (*.html).`,
    );
  }
  const files: ArticleFile[] = [];
  const notUtf8: string[] = [];
  const withoutEnd: string[] = [];
  const withOtherLine: string[] = [];
  for (const { path, absolute } of found) {
    const content = await readFile(absolute);
    if (content.byteLength > MAX_ARTICLE_BYTES) {
      throw new Error(`The article ${path} is larger than ${MAX_ARTICLE_BYTES / 1024} kB; split it.`);
    }
    if (!isUtf8(content)) {
      notUtf8.push(path);
      continue;
    }
    const text = content.toString("utf8");
    if (HTML.test(path)) {
      files.push(readPage(path, text));
      // A page takes milliseconds; customers are answered between two of them.
      await nextTurn();
    } else {
      const { facts, fault } = splitFrontMatter(text);
      if (facts.get("draft") === "true" || facts.get("published") === "false") continue;
      files.push({ path, text });
      if (fault) (fault === "end" ? withoutEnd : withOtherLine).push(path);
    }
  }
  return { files, notes: notesOf(notUtf8, withoutEnd, withOtherLine) };
}

function notesOf(
  notUtf8: readonly string[],
  withoutEnd: readonly string[],
  withOtherLine: readonly string[],
): string[] {
  const notes: string[] = [];
  if (notUtf8.length > 0) notes.push(`Articles that are not UTF-8 are left out: ${firstFew(notUtf8)}.`);
  if (withoutEnd.length > 0) {
    const what = "The front matter of these articles has no end (a line ---), or a line in it is no value";
    notes.push(`${what}, so only its first lines are taken for it: ${firstFew(withoutEnd)}.`);
  }
  if (withOtherLine.length > 0) {
    const what = "A line in the front matter of these articles is no value, such as title: Returns";
    notes.push(`${what}, and is left out: ${firstFew(withOtherLine)}.`);
  }
  return notes;
}

function readPage(path: string, html: string): ArticleFile {
  try {
    return htmlArticle(path, html);
  } catch (cause) {
    // The reader is recursive, and elements nested thousands of levels deep overflow its stack.
    throw new Error(`The article ${path} can't be read as HTML.`, { cause });
  }
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

interface Collected {
  readonly folders: string[];
  readonly files: string[];
}

async function collect(
  root: string,
  folder = root,
  found: Collected = { folders: [], files: [] },
  depth = 0,
): Promise<Collected> {
  if (depth > MAX_DEPTH) return found;
  found.folders.push(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    // A linked folder is never entered: it could lead back to its parent.
    const kind = entry.isSymbolicLink() ? await kindInside(root, path) : kindOf(entry);
    if (kind === "folder" && !entry.isSymbolicLink()) await collect(root, path, found, depth + 1);
    if (kind === "file" && (MARKDOWN.test(entry.name) || HTML.test(entry.name))) found.files.push(path);
  }
  return found;
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
