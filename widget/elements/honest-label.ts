import { readUrl } from "./safe-href.ts";

/**
 * Characters that look like a full stop (Unicode TR 39), or that a browser reads as one in a host name (UTS 46).
 * An Arabic zero after an Arabic digit is a number.
 */
const DOTS =
  /[\u0701\u0702\u2024\u3002\ua4f8\ua60e\ufe52\uff0e\uff61\u{10a50}\u{1d16d}]|(?<![\u0660-\u0669\u06f0-\u06f9])[\u0660\u06f0]/gu;

/** Hardly visible in a label: backticks, format characters, combining marks and thin spaces. */
const UNSEEN = /[`\p{Cf}\p{M}\u2000-\u200a\u202f]/gu;

/** A host name with a dot, or an IPv4 address; with the name before it in an e-mail address. */
const ADDRESS = /(?:[\w.%+-]+@)?(?:(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}|(?:\d{1,3}\.){3}\d{1,3})/giu;

/**
 * Whether a link's label reads as an address. If it does, it must be the address that the link leads to:
 * docs/decisions/0052-look-alikes.md.
 * @param href from `safeHref`
 */
export function pretendsOtherAddress(label: string, href: string): boolean {
  const seen = label.replace(DOTS, ".").replace(UNSEEN, "").normalize("NFKC").toLowerCase();
  const own = (/^mailto:(.*)/i.exec(href)?.[1] ?? readUrl(href)?.host ?? "").toLowerCase();
  return Array.from(seen.matchAll(ADDRESS), ([shown]) => shown).some(
    (shown) => shown !== own && `@${shown}` !== own.slice(own.lastIndexOf("@")),
  );
}
