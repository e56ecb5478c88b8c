import { namesOf } from "../../shared/languages.ts";
import { parseJson } from "../client/parse-json.ts";

/** Texts that greet and invite. The owner can't change those that report a status or say who answers. */
const OWN = /^(title|greeting|placeholder(First)?|talkToPerson|fallback_\w+)$/;
const MAX_LENGTH = 300;

/**
 * The owner's own texts for a language: of `{"de": {"greeting": "Moin!"}}` those of `de` for `de-AT`; more specific
 * ones win. Other keys and longer texts are ignored.
 * @param json the setting `texts`, which may be anything
 */
export function readOwnTexts(json: string | undefined, tag: string): Record<string, string> {
  const all = parse(json);
  const entries = namesOf(tag)
    .reverse()
    .flatMap((name) => Object.entries(Object(all.get(name)) as object));
  return Object.fromEntries(entries.filter((entry) => entry[1] && isOwn(entry))) as Record<string, string>;
}

/** Whether each text of the setting is one that the owner can change, under its language. */
export function areOwnTexts(json: string): boolean {
  return isEach(parseJson(json), ([, texts]) => isEach(texts, isOwn));
}

function isEach(all: unknown, isValid: (entry: [string, unknown]) => boolean): boolean {
  return Object(all) === all && Object.entries(all as object).every(isValid);
}

function isOwn([key, text]: [string, unknown]): boolean {
  return OWN.test(key) && typeof text === "string" && text.length <= MAX_LENGTH;
}

/** By tags in lower case, because owners write `pt-BR`. */
function parse(json = "{}"): Map<string, unknown> {
  // Incomplete or not JSON: a page may send anything.
  const entries = Object.entries(Object(parseJson(json)) as object);
  return new Map(entries.map(([tag, texts]) => [tag.toLowerCase(), texts]));
}
