import { asciiDigits } from "./ascii-digits.ts";

const CARD = /(?<![\p{L}\p{Nd}])\p{Nd}(?:[ .\-\u00a0]{0,2}\p{Nd}){12,18}(?!\p{Nd})/gu;
/** The usual four groups, also next to other digits, because people write the date and the code after them. */
const CARD_IN_GROUPS = /(?<![\p{L}\p{Nd}])\p{Nd}{4}(?:[ .\-\u00a0]{0,2}\p{Nd}{4}){3}(?!\p{Nd})/gu;
/** In groups or without spaces; the check digits decide. */
const IBAN = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ \u00a0-]{0,2}[A-Z0-9]){11,30}(?![A-Z0-9])/gi;
/** It looks back for the name, because looking ahead would try each repetition of it. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]*-----(?<=PRIVATE KEY[A-Z ]*-----)[\s\S]*?(?:-----END [A-Z0-9 ]*-----(?<=PRIVATE KEY[A-Z ]*-----)|$)/g;
const KEYS = [
  PRIVATE_KEY,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[\w-]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|whsec_|npm_|hf_|shpat_)[\w+/=-]{8,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bBearer\s+[\w.~+/=-]{16,}/gi,
];

/** Also what only begins like one, so that each letter is read once. */
const JWT = /\beyJ[\w-]{8,}(\.[\w-]{8,}(?:\.[\w-]*)?)?/g;

/** Replaces what has the shape of a secret: keys and tokens, and card numbers and IBANs whose check digits hold. */
export function maskShapes(text: string): string {
  let masked = text;
  for (const key of KEYS) masked = masked.replace(key, "[key]");
  masked = masked.replace(JWT, (found, rest?: string) => (rest === undefined ? found : "[key]"));
  masked = masked.replace(IBAN, maskIban);
  for (const card of [CARD_IN_GROUPS, CARD])
    masked = masked.replace(card, (found) => (isCard(found) ? "[card number]" : found));
  return masked;
}

/** https://en.wikipedia.org/wiki/Luhn_algorithm */
function isCard(found: string): boolean {
  const digits = Array.from(asciiDigits(found).replace(/\D/g, ""), Number).reverse();
  if (new Set(digits).size === 1) return false;
  const sum = digits.reduce((total, digit, at) => {
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** The words after an IBAN look like more of its groups, so shorter ones are tried too. */
function maskIban(found: string): string {
  for (let end = found.length; end > 0; end = found.lastIndexOf(" ", end - 1)) {
    if (isIban(found.slice(0, end))) return `[IBAN]${found.slice(end)}`;
  }
  return found;
}

/** ISO 13616: the rest of a division by 97 is 1. */
function isIban(found: string): boolean {
  const plain = found.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  if (plain.length < 15 || plain.length > 34) return false;
  const moved = plain.slice(4) + plain.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
