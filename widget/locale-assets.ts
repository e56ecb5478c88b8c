import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "vite";
import { english } from "./app/locales/english.ts";

const FOLDER = `${import.meta.dirname}/app/locales`;

/** Every language but English that there are words in, by the name of its file: `pt-br`. */
export function localeTags(): string[] {
  return globSync("*.json", { cwd: FOLDER })
    .map((file) => basename(file, ".json"))
    .sort();
}

/**
 * The texts of every language but English as `assets/locale-TAG-VERSION.json`, each a list in the order of English after
 * the version of them all: without keys a file is a quarter smaller, and one version makes the list of addresses short.
 */
export function readLocaleAssets() {
  const keys = Object.keys(english);
  const tags = localeTags();
  const lists = tags.map((tag) => {
    const texts = JSON.parse(readFileSync(`${FOLDER}/${tag}.json`, "utf8")) as Record<string, unknown>;
    return keys.map((key) => texts[key] ?? 0);
  });
  const hash = createHash("sha256").update(JSON.stringify([keys, tags, lists]));
  const version = hash.digest("base64url").slice(0, 8);
  return {
    /** What the panel is told: the version, then the tags. */
    list: [version, ...tags].join(" "),
    files: tags.map((tag, index) => ({
      fileName: `assets/locale-${tag}-${version}.json`,
      source: JSON.stringify([version, ...(lists[index] ?? [])]),
    })),
  };
}

/** Emits them beside the panel's other files, and tells the panel as `__PARLEY_LOCALES__` which there are. */
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
