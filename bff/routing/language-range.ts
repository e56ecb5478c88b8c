import { quote } from "./wording.ts";

/** Longest tag that the widget may send. */
const MAX_TAG = 35;

/** What is wrong with a language tag in a rule, or nothing. Says what to write instead. */
export function languageFault(tag: string): string | undefined {
  if (isLanguageTag(tag)) return undefined;
  const dashed = tag.replaceAll("_", "-");
  const wild = tag.replace(/-\*$/, "");
  if (dashed !== tag && isLanguageTag(dashed)) return `did you mean ${quote(dashed)}?`;
  if (wild !== tag && isLanguageTag(wild)) return `write ${quote(wild)}, which holds for every region of it.`;
  return 'write a tag of BCP 47 such as "de" or "fr-CH".';
}

/** Whether it is a tag as BCP 47 builds it. Languages of more than three letters are reserved: "german" is a mistake. */
function isLanguageTag(tag: string): boolean {
  if (tag.length > MAX_TAG || !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(tag)) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Whether `tag` is `range` or something more special: `de` covers `de` and `de-AT`, not `deu` (RFC 4647 basic
 * filtering). Upper and lower case are the same. Both may be ranges: then it says whether one holds the other.
 */
export function coversLanguage(range: string, tag: string): boolean {
  const [wide, narrow] = [range.toLowerCase(), tag.toLowerCase()];
  return narrow === wide || narrow.startsWith(`${wide}-`);
}
