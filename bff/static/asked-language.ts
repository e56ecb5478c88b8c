import { negotiate } from "../../shared/languages.ts";

/** No real tag is longer. */
const MAX_TAG = 35;
const MAX_HEADER = 500;

/**
 * Chooses the language of an answer: the asked one, by the same rules as the panel's setting `locale`; otherwise the
 * browser's first one that exists.
 * @param asked a BCP 47 tag, or nothing
 * @param accepted the browser's `Accept-Language`
 * @param names the languages that exist besides English
 * @returns one of them, or `en`
 */
export function chooseLanguage(
  asked: string | undefined,
  accepted: string | undefined,
  names: readonly string[],
): string {
  const wanted = asked ? [asked] : readAccepted(accepted ?? "");
  return negotiate(
    wanted.filter((tag) => tag.length <= MAX_TAG),
    names,
  )[0];
}

/** The tags of an `Accept-Language`, in the order of that browser's `navigator.languages`. */
function readAccepted(header: string): string[] {
  if (header.length > MAX_HEADER) return [];
  return header
    .split(",")
    .map((entry) => {
      const [tag = "", weight = ""] = entry.split(";");
      return { tag: tag.trim(), weight: Number(weight.trim().replace(/^q=/i, "") || 1) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
