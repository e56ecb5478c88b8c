import { en } from "./app/locales/en.ts";
import type { LoaderWords } from "./loader/words.ts";
import { localeTags, readLocale } from "./locale-assets.ts";

/** The loader's texts in every language, English first, taken from the panel's. */
export function readLoaderWords(): readonly LoaderWords[] {
  const texts = localeTags().map((lang) => ({ lang, texts: readLocale(lang) as unknown as typeof en }));
  return [{ lang: "en", texts: en }, ...texts].map(({ lang, texts }) => ({
    lang,
    launcher: texts.openChat,
    frame: texts.panel,
    note: texts.chatNotLoaded,
  }));
}
