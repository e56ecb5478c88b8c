import { type FSWatcher, watch } from "node:fs";
import { errorFacts } from "../../../../shared/server/log.ts";
import type { AgentDeps } from "../../provider.ts";
import { type ListedFile, listArticleFiles, listArticleFolders, readArticleFiles } from "./article-folder.ts";
import type { ArticleSource } from "./article-source.ts";

/** Editors and `git pull` write several files in a row; the articles are read after the last. */
const SETTLE_MS = 300;
/** Network folders, and links that lead to another folder from now on, report no change. */
const LOOK_MS = 60_000;

/** The articles of a folder, read once. */
export function readFolder(directory: string) {
  let notes: readonly string[] = [];
  return {
    folder: directory,
    /** @param listed what is in the folder, if it was listed just now */
    async read(listed?: readonly ListedFile[]) {
      const found = await readArticleFiles(directory, listed);
      notes = found.notes;
      return found.files;
    },
    watch: () => undefined,
    notes: () => notes,
    waitsFor: () => undefined,
  };
}

/** The articles of a folder, which may change at any time. */
export function createFolderSource(
  directory: string,
  { clock, log, stopping }: Pick<AgentDeps, "clock" | "log" | "stopping">,
): ArticleSource {
  let version: string | undefined;
  let folders: readonly string[] = [];
  const versionOf = (listed: Awaited<ReturnType<typeof listArticleFiles>>) =>
    listed.map((file) => file.version).join("\n");
  const reader = readFolder(directory);
  return {
    ...reader,
    async read() {
      folders = await listArticleFolders(directory);
      const listed = await listArticleFiles(directory);
      version = versionOf(listed);
      const files = await reader.read(listed);
      for (const reason of reader.notes()) log.warn({ reason }, "articles are broken");
      return files;
    },
    watch(changed) {
      if (stopping.aborted) return;
      const look = async () => {
        // A folder may be new, or another one of the same name. Its files are listed once it is watched: none is missed.
        const found = await listArticleFolders(directory).catch(() => undefined);
        // A folder that was moved away may be moved back.
        if (found !== undefined) follow(found);
        // A folder that can't be listed now is read, so that the reason is reported once.
        const now = await listArticleFiles(directory).then(versionOf, () => "unreadable");
        if (now === version) return;
        version = now;
        changed();
      };
      const lookNow = () =>
        void look().catch((error: unknown) => log.error(errorFacts(error), "a reload failed"));
      let cancel: () => void = () => undefined;
      const soon = () => {
        cancel();
        cancel = clock.after(SETTLE_MS, lookNow);
      };
      const warn = (error: unknown) =>
        log.warn(errorFacts(error), "the articles are looked at once a minute");
      const watchers: FSWatcher[] = [];
      const unfollow = () => {
        for (const watcher of watchers.splice(0)) watcher.close();
      };
      // Node's recursive watcher reads a whole folder again for each new file in it: thousands stop the process.
      let isIncomplete = false;
      const follow = (all: readonly string[]) => {
        unfollow();
        if (stopping.aborted) return;
        const faults: unknown[] = [];
        for (const folder of all) {
          try {
            watchers.push(watch(folder, { persistent: false }, soon).on("error", warn));
          } catch (error) {
            faults.push(error);
          }
        }
        // Once, although this is tried each minute: the system may watch only so many folders.
        if (faults.length > 0 && !isIncomplete) warn(faults[0]);
        isIncomplete = faults.length > 0;
      };
      follow(folders);
      const stop = clock.every(LOOK_MS, lookNow);
      stopping.addEventListener("abort", () => {
        cancel();
        stop();
        unfollow();
      });
    },
  };
}
