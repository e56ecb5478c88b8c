import { asciiDigits } from "./ascii-digits.ts";

const CARD = /(?<![\p{L}\p{Nd}])\p{Nd}(?:[ .\-\u00a0]{0,2}\p{Nd}){12,18}(?!\p{Nd})/gu;
/** The usual four groups, also next to other digits, because people write the date and the code after them. */
const CARD_IN_GROUPS = /(?<![\p{L}\p{Nd}])\p{Nd}{4}(?:[ .\-\u00a0]{0,2}\p{Nd}{4}){3}(?!\p{Nd})/gu;
const IBAN = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ \u00a0-]{0,2}[A-Z0-9]){11,30}(?![A-Z0-9])/gi;
/** Words for a password, in the languages in which requests for a person are understood. */
const PASSWORD =
  /(?<!\p{L})(?:pass(?:word|wort|code|phrase|wd)|kennwort|pwd|mot de passe|contraseña|clave|senha|palavra-passe|wachtwoord|hasło|hasłem|şifrem?|parola(?: d'ordine)?|парол[ья]|密码|密碼|パスワード|暗証番号|كلمة (?:المرور|السر)|cvv2?|cvc2?|pin)(?!\p{L})([^\p{L}\p{N}\n]{0,4}(?:(?:is|ist|lautet|est|es|è|é|jest|to|hier|это|は|是)(?!\p{L})\s{0,40})?[:=：]?\s{0,40})(?!\[)\S*[^\s.,;!?]/giu;
/** Words after the verb of a sentence about a password. */
const NO_PASSWORD =
  /^(?:not|n't|no|never|still|too|also|always|again|being|wrong|incorrect|invalid|expired|refused|rejected|denied|forgotten|lost|gone|working|broken|unknown|missing|required|needed|blocked|locked|correct|right|safe|secure|weak|strong|the|my|a|an|what|that|same|different|accepted|old|new|stored|asked|nicht|falsch|ungültig|abgelaufen|weg|verloren|vergessen|zu|richtig|korrekt|gesperrt|immer|noch|auch|unbekannt|pas|fausse?|incorrecte?|invalide|expirée?|oubliée?|trop|bloquée?|inconnue?|incorrect[ao]|inválid[ao]|caducad[ao]|expirad[ao]|bloquead[ao]|errad[ao]|sbagliat[ao]|errat[ao]|scadut[ao]|bloccat[ao]|non|no|não|verkeerd|onjuist|ongeldig|verlopen|niet|nie|błędne|nieprawidłowe|wygasło|yanlış|geçersiz|не|неверный|неправильный|不正しくありません|错误|錯誤)$/iu;
const SHORT_CODE = /(?<!\p{L})(cvv2?|cvc2?|pin)(\s+)\p{Nd}{3,8}(?!\p{Nd})/giu;
/** Only with a mark after it: "token" and "secret" are words of ordinary questions. */
const LABELLED = /(?<!\p{L})((?:api|access|private)[-_ ]?key|secret|token)(\s*[:=：]\s*)(?!\[)\S{6,}/giu;
const KEYS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[\w-]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|whsec_|npm_|hf_|shpat_)[\w+/=-]{10,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bBearer\s+[\w.~+/=-]{16,}/gi,
];

/**
 * Replaces what customers should not have pasted, before it leaves for somebody else's server: card numbers and IBANs
 * whose check digits hold, passwords after their name, keys and tokens. It finds known forms, not every secret.
 */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const key of KEYS) masked = masked.replace(key, "[key]");
  masked = masked.replace(LABELLED, (_, name: string, mark: string) => `${name}${mark}[key]`);
  masked = masked.replace(PASSWORD, (found, mark: string) => maskPassword(found, mark));
  masked = masked.replace(SHORT_CODE, "$1$2[password]");
  masked = masked.replace(IBAN, maskIban);
  for (const card of [CARD_IN_GROUPS, CARD])
    masked = masked.replace(card, (found) => (isCard(found) ? "[card number]" : found));
  return masked;
}

/** Without a mark or verb after it, it is a sentence about passwords and not one. */
function maskPassword(found: string, mark: string): string {
  const value = found.slice(found.indexOf(mark) + mark.length);
  if (mark.trim() === "" || (!/[:=：]/.test(mark) && NO_PASSWORD.test(value))) return found;
  return `${found.slice(0, found.indexOf(mark) + mark.length)}[password]`;
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
