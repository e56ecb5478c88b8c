import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { PanelSettings } from "../../shared/frame-port.ts";
import { negotiate } from "../../shared/languages.ts";
import type { Environment } from "./environment.ts";
import { en } from "./locales/en.ts";
import { readOwnTexts } from "./own-texts.ts";
import { createTexts, type Texts, type Words } from "./texts.ts";

/** What the panel speaks now. */
export interface Language {
  /** BCP 47, for dates and for the document: as it was asked for, `de-AT` with the texts of `de`. */
  readonly tag: string;
  readonly dir: "ltr" | "rtl";
  readonly texts: Texts;
}

export interface LanguageDeps {
  readonly fetch: Environment["fetch"];
  /** The version of all texts, and the languages that they can be fetched in: `Zx81_aBc ar de pt-br`. */
  readonly list: string;
  readonly settings: ReadonlySignal<PanelSettings>;
  /** What the browser asks for where the site says nothing. */
  readonly preferred: readonly string[];
}

/** The texts of a language in the order of the English ones. */
const ENGLISH = { name: "en", list: [] as readonly unknown[] };

/**
 * The language that the site set, or the browser's; English until its texts are here. What can't be had is English, and
 * `wake` tries again. The words of the panel's later parts come with them: `addWords` takes them.
 */
export function createLanguage({ fetch, list, settings, preferred }: LanguageDeps) {
  const [version = "", ...names] = list.split(" ");
  const here = signal(ENGLISH);
  const words = signal<Words>(en);
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

  // Apart, so that settings which change nothing of it leave the texts, and all that is drawn from them, as they are.
  const own = (["title", "greeting", "texts"] as const).map((key) => computed(() => settings.value[key]));
  const language = computed((): Language => {
    const { name, list } = here.value;
    const english = words.value;
    const [wantedName, wantedTag] = wanted.value;
    const tag = name === wantedName ? wantedTag : name || "en";
    const [title, greeting, texts] = own.map((setting) => setting.value);
    const all = {
      ...Object.fromEntries(Object.keys(english).map((key, index) => [key, list[index]])),
      ...(title && { title }),
      ...(greeting && { greeting }),
      ...readOwnTexts(texts, tag),
    };
    return {
      tag,
      dir: /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(name) ? "rtl" : "ltr",
      texts: createTexts(all, tag, english),
    };
  });
  return {
    language,
    wake: () => void load(),
    /** Takes English words that stand in the lists after those that are known. */
    addWords: (more: Words) => {
      words.value = { ...words.value, ...more };
    },
  };
}

/** @throws when they can't be had, or are not of this version */
async function fetchTexts(
  fetch: Environment["fetch"],
  name: string,
  version: string,
): Promise<typeof ENGLISH> {
  const answer = await fetch(`/assets/locale-${name}-${version}.json`, {});
  const list: unknown = await answer.json();
  // In another version's order each text would stand for another.
  if (!Array.isArray(list) || list[0] !== version) throw new TypeError();
  return { name, list: list.slice(1) };
}
