import { addressesIn, canonical, UNSEEN } from "./addresses.ts";

export interface AddressesGuard {
  /** Lets the addresses of a cited document or of a tool's result through. */
  allow(source: string): void;
  /** Takes a piece of text and returns what may be shown now. */
  add(text: string): string;
  end(): string;
  /** Whether a text has no address, or only allowed ones. */
  accepts(text: string): boolean;
}

/** Stands for an address that was left out. */
export const LEFT_OUT = "[…]";
const LINK = /(!?)\[([^[\]\n]{0,300})\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/g;
/** The start of a telephone number, up to the end of the word that may be its last part. */
const NUMBER = /(?:\+|00)[\d ().\u00a0/-]{0,24}/.source;
/** The end of a text that may become a link or a telephone number. */
const UNFINISHED = new RegExp(
  `(?:!?\\[[^[\\]\\n]{0,300}(?:\\](?:\\(${NUMBER})?\\S{0,2000})?|(?<!\\S)(?:[^\\s\\]]{0,40}[^\\s\\]\\p{L}\\p{N}])?${NUMBER}\\S{0,40})$`,
  "u",
);
const MAX_UNFINISHED = 2_300;
const MAX_WORD = 2_000;

/**
 * Leaves out addresses that no source of the answer has: links keep their label, pictures their description. An answer
 * that repeats an address exactly as its source has it keeps it.
 */
export function createAddressesGuard(): AddressesGuard {
  const allowed = new Set<string>();
  let waiting = "";

  const isAllowed = (address: string) => allowed.has(canonical(address));
  const withoutAddresses = (text: string): string => {
    let from = 0;
    let out = "";
    for (const { start, end, seen } of addressesIn(text)) {
      // What looks like the source's address but is spelled with other characters is another one.
      if (isAllowed(seen) && text.slice(start, end) === seen) continue;
      out += text.slice(from, start) + LEFT_OUT;
      from = end;
    }
    return out + text.slice(from);
  };
  const clean = (text: string): string => {
    let from = 0;
    let out = "";
    for (const link of text.matchAll(LINK)) {
      const [whole, picture, label = "", target = ""] = link;
      out += withoutAddresses(text.slice(from, link.index));
      const shown = withoutAddresses(label);
      out += picture === "" && isAllowed(target) && shown === label ? whole : shown;
      from = link.index + whole.length;
    }
    return out + withoutAddresses(text.slice(from));
  };
  return {
    allow(source) {
      for (const { seen } of addressesIn(source)) {
        const form = canonical(seen);
        allowed.add(form);
        if (!seen.includes("@")) allowed.add(/^[^/?#]*/.exec(form)?.[0] ?? form);
      }
    },
    add(text) {
      waiting += text;
      const free = waiting.length - unfinishedLength(waiting);
      const piece = waiting.slice(0, free);
      waiting = waiting.slice(free);
      return clean(piece);
    },
    end() {
      const rest = clean(waiting);
      waiting = "";
      return rest;
    },
    accepts: (text) => clean(text) === text,
  };
}

/** How much of the end of a text may become a link or an address: its last word, an open bracket, a number. */
function unfinishedLength(text: string): number {
  let word = 0;
  while (word < MAX_WORD && word < text.length && !/\s/.test(text.charAt(text.length - 1 - word))) word += 1;
  const tail = text.slice(-MAX_UNFINISHED).replace(/[^\n -~]/gu, asSeen);
  return Math.max(word, UNFINISHED.exec(tail)?.[0].length ?? 0);
}

/** Reads a character of a number in disguise, as `addressesIn` does, but leaves its length. */
function asSeen(character: string): string {
  if (UNSEEN.test(character)) return "-".repeat(character.length);
  const seen = character.normalize("NFKC");
  return seen.length === character.length ? seen : character;
}
