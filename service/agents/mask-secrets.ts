import { maskShapes } from "../../shared/secret-shapes.ts";

/** Words for a password, in the languages in which requests for a person are understood. */
const PASSWORD =
  /(?<!\p{L})(?:pass(?:word|wort|code|phrase|wd)|kennwort|pwd|mot de passe|contraseña|clave|senha|palavra-passe|wachtwoord|hasło|hasłem|şifrem?|parola(?: d'ordine)?|парол[ья]|密码|密碼|パスワード|暗証番号|كلمة (?:المرور|السر)|cvv2?|cvc2?|pin)(?!\p{L}|\W{0,4}\[(?:key|IBAN|card number)\])([^\p{L}\p{N}\n]{0,4}(?:(?:is|ist|lautet|est|es|è|é|jest|to|hier|это|は|是)(?!\p{L})\s{0,40})?[:=：]?\s{0,40})(?!\[)\S*[^\s.,;!?]/giu;
/** Words after the verb of a sentence about a password. */
const NO_PASSWORD =
  /^(?:not|n't|no|never|still|too|also|always|again|being|wrong|incorrect|invalid|expired|refused|rejected|denied|forgotten|lost|gone|working|broken|unknown|missing|required|needed|blocked|locked|correct|right|safe|secure|weak|strong|the|my|a|an|what|that|same|different|accepted|old|new|stored|asked|nicht|falsch|ungültig|abgelaufen|weg|verloren|vergessen|zu|richtig|korrekt|gesperrt|immer|noch|auch|unbekannt|pas|fausse?|incorrecte?|invalide|expirée?|oubliée?|trop|bloquée?|inconnue?|incorrect[ao]|inválid[ao]|caducad[ao]|expirad[ao]|bloquead[ao]|errad[ao]|sbagliat[ao]|errat[ao]|scadut[ao]|bloccat[ao]|non|no|não|verkeerd|onjuist|ongeldig|verlopen|niet|nie|błędne|nieprawidłowe|wygasło|yanlış|geçersiz|не|неверный|неправильный|不正しくありません|错误|錯誤)$/iu;
const SHORT_CODE = /(?<!\p{L})(cvv2?|cvc2?|pin)(\s+)\p{Nd}{3,8}(?!\p{Nd})/giu;
/** Only with a mark after it: "token" and "secret" are words of ordinary questions. */
const LABELLED = /(?<!\p{L})((?:api|access|private)[-_ ]?key|secret|token)(\s*[:=：]\s*)(?!\[)\S{6,}/giu;

/**
 * Replaces what customers should not have pasted, before it leaves for somebody else's server: card numbers and IBANs
 * whose check digits hold, passwords after their name, keys and tokens. It finds known forms, not every secret.
 */
export function maskSecrets(text: string): string {
  let masked = maskShapes(text);
  masked = masked.replace(LABELLED, (_, name: string, mark: string) => `${name}${mark}[key]`);
  masked = masked.replace(PASSWORD, (found, mark: string) => maskPassword(found, mark));
  return masked.replace(SHORT_CODE, "$1$2[password]");
}

/** Without a mark or verb after it, it is a sentence about passwords and not one. */
function maskPassword(found: string, mark: string): string {
  const value = found.slice(found.indexOf(mark) + mark.length);
  if (mark.trim() === "" || (!/[:=：]/.test(mark) && NO_PASSWORD.test(value))) return found;
  return `${found.slice(0, found.indexOf(mark) + mark.length)}[password]`;
}
