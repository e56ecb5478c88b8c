import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { makeFolder } from "../../../../shared/server/make-folder.ts";

const StoredPage = z.object({
  url: z.string(),
  /** The article made of it, as Markdown. */
  text: z.string(),
  etag: z.optional(z.string()),
  modified: z.optional(z.string()),
  /** Milliseconds since 1970. */
  fetchedAt: z.number(),
});
export type StoredPage = z.infer<typeof StoredPage>;

/** Version 1 of the file. Another one is fetched again. */
const StoredPages = z.object({
  version: z.literal(1),
  /** The configured addresses that it was fetched for. */
  for: z.array(z.string()),
  /** When all pages were last asked for. */
  refreshedAt: z.number(),
  /** What could not be read then, in a sentence for an operator. */
  fault: z.optional(z.string()),
  /** Some of it may be over soon. */
  retriesSoon: z.optional(z.boolean()),
  pages: z.array(StoredPage),
});
export type StoredPages = z.infer<typeof StoredPages>;

const FILE = "pages.json";

/** Reads what a former run fetched; undefined where there is nothing usable, which is then fetched again. */
export async function readStoredPages(folder: string): Promise<StoredPages | undefined> {
  try {
    const parsed = StoredPages.safeParse(JSON.parse(await readFile(join(folder, FILE), "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // The first run has no file, and a damaged one costs one fetch.
    return undefined;
  }
}

/** Replaces the file as a whole: a process that dies leaves the previous file. */
export async function storePages(folder: string, pages: StoredPages): Promise<void> {
  makeFolder(folder);
  const path = join(folder, FILE);
  await writeFile(`${path}.new`, JSON.stringify(pages), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
