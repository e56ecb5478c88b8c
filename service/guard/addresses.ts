/** Characters that look like a full stop, or that a browser reads as one in a host name (UTS 46, Unicode TR 39). */
const DOTS = /[\u2024\u3002\ua4f8\ufe52\uff0e\uff61\u0701\u0702]/u;
const SLASHES = /[\u2044\u2215\u29f8\uff0f]/u;
export const UNSEEN = /[\p{Cf}\p{DI}]/u;

/** Top-level domains that a chat may meet; every two letters are one too. Others need a scheme or `www.`. */
const TLD =
  "(?:[a-z]{2}|com|net|org|info|biz|app|dev|xyz|online|site|shop|store|top|club|live|pro|link|click|help|support|page|web|cloud|digital|email|chat|win|loan|zip|mov|icu|vip|work|world|today|space|website|tech|gov|edu|mil|int|name|mobi|example|test|invalid|localhost|onion|xn--[a-z0-9-]+|рф|укр|бел|рус|онлайн|сайт|中国|中國|公司|网络|網路|在线|コム|みんな|السعودية|امارات|مصر)";
/** The limits of RFC 1035 and RFC 5321 (63 and 253 characters, 64 before the @) keep the search linear. */
const LABEL = "[\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_-]{0,62}";
const REST = '[^\\s<>"`|\\\\\\u3000-\\u3002「」『』（），。]';
const ADDRESS = new RegExp(
  [
    `[a-z][a-z0-9+.-]{1,20}:/{1,3}${REST}+`,
    `(?<![\\p{L}\\p{N}])(?:mailto|tel|sms|javascript|data|vbscript|skype|whatsapp|tg|facetime|callto|blob|file|intent|geo|bitcoin):${REST}+`,
    `//${LABEL}(?:\\.${LABEL})+${REST}*`,
    `[\\p{L}\\p{N}._%+-]{1,64}@${LABEL}(?:\\.${LABEL})+`,
    `www\\.(?=[\\p{L}\\p{N}])${REST}+`,
    `(?<![\\p{L}\\p{N}@.])(?:(?!(?:e\\.g|i\\.e)\\b)[\\p{L}\\p{N}_-]{2,63}\\.)(?:${LABEL}\\.){0,126}${TLD}(?![\\p{L}\\p{N}_-])(?::\\d+)?(?:[/?#]${REST}*)?`,
    "(?<![\\d.])(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\d.])(?::\\d+)?(?:/\\S*)?",
    // No country's code begins with 0; three zeros are part of an amount.
    "(?<![\\p{L}\\p{N}])(?:\\+\\d|00[1-9])[\\d ().\\u00a0/-]{6,20}\\d",
  ].join("|"),
  "giu",
);
/** Names of files, which end like a domain. */
const FILE = /^[\w-]+\.(?:js|ts|md|py|sh|pl|ps|so|cc|gz|mo|ai|rs)$/i;
/** Punctuation after an address belongs to the sentence. */
const TAIL = /[.,;:!?'"*_~)\]}…]+$/u;

export interface FoundAddress {
  readonly start: number;
  readonly end: number;
  /** As a reader sees it. */
  readonly seen: string;
}

/** Finds what a reader or a program takes for an address, also if invisible or look-alike characters disguise it. */
export function addressesIn(text: string): readonly FoundAddress[] {
  const { seen, places } = visible(text);
  return Array.from(seen.matchAll(ADDRESS)).flatMap((match) => {
    const found = match[0].replace(TAIL, "");
    if (found === "" || FILE.test(found)) return [];
    const start = places[match.index] ?? 0;
    return [{ start, end: (places[match.index + found.length - 1] ?? text.length - 1) + 1, seen: found }];
  });
}

/** Returns one form for spellings of the same address: without `https://`, `mailto:` and the last slash. */
export function canonical(address: string): string {
  const bare = address
    .replace(TAIL, "")
    .replace(/^(?:https?:\/\/|mailto:|tel:)/i, "")
    .replace(/\/$/, "");
  if (/^(?:\+|00)[\d ().\u00a0/-]+$/.test(bare)) return bare.replace(/^00/, "+").replace(/[^\d+]/g, "");
  const host = /^[^/?#]*/.exec(bare)?.[0] ?? "";
  return host.toLowerCase() + bare.slice(host.length);
}

function visible(text: string): { readonly seen: string; readonly places: readonly number[] } {
  let seen = "";
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const read = UNSEEN.test(character)
      ? ""
      : DOTS.test(character)
        ? dotOf(text, at)
        : SLASHES.test(character)
          ? "/"
          : character.normalize("NFKC");
    for (const _ of read.split("")) places.push(at);
    seen += read;
    at += character.length;
  }
  return { seen, places };
}

/** A Chinese full stop ends a sentence, unless Latin letters follow it at once. */
function dotOf(text: string, at: number): string {
  const character = text[at] ?? "";
  return character !== "。" || /^[a-z0-9]/i.test(text.slice(at + 1)) ? "." : character;
}
