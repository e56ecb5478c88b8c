import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "vite";

const FOLDER = `${import.meta.dirname}/app/locales`;

/** Every language except English that the panel has texts in, by the name of its file: `pt-br`. */
export function localeTags(): string[] {
  return globSync("*.json", { cwd: FOLDER })
    .map((file) => basename(file, ".json"))
    .sort();
}

/** The texts of a language by their keys, as its file has them. */
export function readLocale(tag: string): Record<string, unknown> {
  return JSON.parse(readFileSync(`${FOLDER}/${tag}.json`, "utf8")) as Record<string, unknown>;
}

/**
 * The texts of every language except English as `assets/locale-TAG-VERSION.json`. One version for all of them, a hash of
 * their contents, makes the addresses immutable and the panel's list of them short.
 */
export function readLocaleAssets() {
  const tags = localeTags();
  const sources = tags.map((tag) => JSON.stringify(readLocale(tag)));
  const hash = createHash("sha256").update(JSON.stringify([tags, sources]));
  const version = hash.digest("base64url").slice(0, 8);
  return {
    /** The panel's `__PARLEY_LOCALES__`: the version, then the tags. */
    list: [version, ...tags].join(" "),
    files: tags.map((tag, index) => ({
      fileName: `assets/locale-${tag}-${version}.json`,
      source: sources[index] ?? "",
    })),
  };
}

/** Emits the languages beside the panel's other files, and defines `__PARLEY_LOCALES__`. */
export function localeAssets(): Plugin {
  const { list, files } = readLocaleAssets();
  return {
    name: "parley-locales",
    config: () => ({ define: { __PARLEY_LOCALES__: JSON.stringify(list) } }),
    generateBundle() {
      for (const file of files) this.emitFile({ type: "asset", ...file });
    },
  };
}
