import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { PanelSettings } from "../../shared/frame-port.ts";
import { negotiate } from "../../shared/languages.ts";
import type { Environment } from "./environment.ts";
import { readOwnTexts } from "./own-texts.ts";
import { createTexts, type Texts } from "./texts.ts";

export interface Language {
  /** BCP 47, for dates and for the document: as requested, so `de-AT` with the texts of `de`. */
  readonly tag: string;
  readonly dir: "ltr" | "rtl";
  readonly texts: Texts;
}

export interface LanguageDeps {
  readonly fetch: Environment["fetch"];
  /** The version of all texts, and the available languages: `Zx81_aBc ar de pt-br`. */
  readonly list: string;
  readonly settings: ReadonlySignal<PanelSettings>;
  readonly preferred: readonly string[];
}

/** A language by its file's name, with its texts by their keys; every missing text is shown in English. */
interface Loaded {
  readonly name: string;
  readonly texts: Readonly<Record<string, unknown>>;
}

const ENGLISH: Loaded = { name: "en", texts: {} };

/**
 * The language that the site set, or the browser's. Texts are English until they are loaded, and if they can't be
 * loaded; then `wake` retries.
 */
export function createLanguage({ fetch, list, settings, preferred }: LanguageDeps) {
  const [version = "", ...names] = list.split(" ");
  const here = signal(ENGLISH);
  const asked = computed(() => settings.value.locale);
  const wanted = computed(() => negotiate(asked.value ? [asked.value] : preferred, names));
  let isLoading = false;

  const load = async (): Promise<void> => {
    const [name] = wanted.value;
    if (isLoading || name === here.peek().name) return;
    isLoading = true;
    const loaded =
      name === "en"
        ? ENGLISH
        : await fetchTexts(fetch, name, version).catch(() => ({ ...ENGLISH, name: "" }));
    isLoading = false;
    if (name !== wanted.peek()[0]) return load();
    here.value = loaded;
  };
  effect(() => void load());

  // Separate, so that unrelated settings leave the texts, and everything drawn from them, unchanged.
  const own = (["title", "greeting", "texts"] as const).map((key) => computed(() => settings.value[key]));
  const language = computed((): Language => {
    const { name, texts: loaded } = here.value;
    const [wantedName, wantedTag] = wanted.value;
    const tag = name === wantedName ? wantedTag : name || "en";
    const [title, greeting, texts] = own.map((setting) => setting.value);
    const ownTexts = readOwnTexts(texts, tag);
    // The dialog is named after the shop.
    const panel = ownTexts["title"] ?? title;
    const all = {
      ...loaded,
      ...(title && { title }),
      ...(greeting && { greeting }),
      ...(panel && { panel }),
      ...ownTexts,
    };
    return {
      tag,
      dir: /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(name) ? "rtl" : "ltr",
      texts: createTexts(all, tag),
    };
  });
  return { language, wake: () => void load() };
}

/** @throws when the file can't be loaded, or contains no object */
async function fetchTexts(fetch: Environment["fetch"], name: string, version: string): Promise<Loaded> {
  const answer = await fetch(`/assets/locale-${name}-${version}.json`, {});
  const texts: unknown = await answer.json();
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) throw new TypeError("no texts");
  return { name, texts: texts as Loaded["texts"] };
}
