import { negotiate } from "../../shared/languages.ts";

/** What is longer asks for no language that anybody speaks: it is not read. */
const MAX_TAG = 35;
const MAX_HEADER = 500;

/**
 * The language to answer in: the asked one, exactly as the panel chooses for its setting `locale`; where none is asked
 * for, the first of the browser's that there is.
 * @param asked a BCP 47 tag, or nothing
 * @param accepted the browser's `Accept-Language`
 * @param names the languages that there are besides English
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

/** The tags of an `Accept-Language`, the most wanted first, as the page of that browser has them in `navigator.languages`. */
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
