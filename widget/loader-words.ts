import { readFileSync } from "node:fs";
import { localeTags } from "./locale-assets.ts";

const FOLDER = `${import.meta.dirname}/app/locales`;

/** What the loader says by itself, before a frame has answered, and the language that it is in. */
export interface LoaderWords {
  /** BCP 47. */
  readonly lang: string;
  /** The launcher's name. */
  readonly launcher: string;
  /** The frame's name. */
  readonly frame: string;
  /** That no frame could be had, and what a press on it does. */
  readonly note: string;
}

/** The loader's words in every language but English, out of texts that the panel has for the same situations. */
export function readLoaderWords(): readonly LoaderWords[] {
  return localeTags().map((lang) => {
    const texts = JSON.parse(readFileSync(`${FOLDER}/${lang}.json`, "utf8")) as Record<string, string>;
    const { openChat = "", panel = "", problem_support_unreachable: failed = "", retry = "" } = texts;
    const again = texts["sentence"]?.replace("{text}", () => retry) ?? "";
    // Where sentences end with a full stop of full width there is no space between them.
    const note = `${failed}${failed.endsWith("。") ? "" : " "}${again}`;
    return { lang, launcher: openChat, frame: panel, note };
  });
}

/**
 * The built English loader with other words in the places of its own, each marked with its language. What else names the
 * launcher, the owner or the frame, is in a language that only they know.
 * @throws Error when a place is not there exactly once
 */
export function speakLoader(code: string, words: LoaderWords): string {
  const lang = literal(words.lang);
  const places: [RegExp, string][] = [
    [
      /(\w+)(\.setAttribute\("aria-label",)(\w+\|\|\w+\.label)\|\|"Open chat"\)/g,
      `($1.lang=$3?"":${lang},$1$2$3||${literal(words.launcher)}))`,
    ],
    [/"Chat could not be reached\. Try again\."/g, literal(words.note)],
    [/\brole:"status"/g, `$&,lang:${lang}`],
    [/\btitle:"Chat"/g, `lang:${lang},title:${literal(words.frame)}`],
  ];
  return places.reduce((spoken, [place, written]) => {
    const count = spoken.match(place)?.length ?? 0;
    if (count !== 1) throw new Error(`The loader has ${count} places like ${place.source}`);
    return spoken.replace(place, written);
  }, code);
}

/** A text as it stands in a script, safe in what `replace` puts in. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll("$", "$$$$");
}
