import { maskShapes } from "./secret-shapes.ts";
import type { Traits } from "./traits.ts";

/** Names that suggest a secret. Words are compared whole, so that `tokenring` passes. */
const SECRET_WORDS = new Set(
  (
    "apikey authorization card cardnumber cookie credential credentials cvc cvv iban jwt passphrase passwd password " +
    "secret ssn token"
  ).split(" "),
);

/** The same names written as one word: `accesstoken`, `userpassword`. */
const SECRET_ENDING = /(apikey|cookie|passwd|password|secret|token)$/;

/** Shorter ones than in a message, and any PEM block: a trait is seldom a sentence, so more of it may be a secret. */
const SECRET_SHAPE =
  /\beyJ[\w-]{6,}\.[\w-]{4,}\.[\w-]*|-----BEGIN [A-Z0-9 ]+-----|\b(sk|pk|rk)[_-](live|test|ant|proj)?[\w-]{8,}|\b(ghp|gho|github_pat|xox[abprs])[_-]\w|\bAKIA[0-9A-Z]{16}\b|\bBearer\s+[\w+/=.~-]{8,}/i;

/** Also "Basic Subscription", so what follows is decoded: credentials have a name and a colon. */
const BASIC = /\bBasic\s+((?:[A-Z0-9+/]{4}){2,})/gi;
const NAME_AND_COLON = /^[ -9;-~]*:/;

/**
 * Leaves out traits that look like secrets: the contract forbids sending them.
 * `dropped` names the keys left out, for the log; never their values.
 */
export function withoutSecrets(traits: Traits): { traits: Traits; dropped: readonly string[] } {
  const kept: Traits = {};
  const dropped: string[] = [];
  for (const [key, value] of Object.entries(traits)) {
    if (isSecretName(key) || isSecretValue(value)) dropped.push(key);
    else kept[key] = value;
  }
  return { traits: kept, dropped };
}

function isSecretName(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return (
    words.some((word) => SECRET_WORDS.has(word) || SECRET_ENDING.test(word)) ||
    SECRET_WORDS.has(words.join(""))
  );
}

function isSecretValue(value: unknown): boolean {
  // A 13-digit number is far more often a time in milliseconds than a card.
  if (typeof value === "number") return value > 1e14 && isSecretText(String(value));
  return (
    typeof value === "string" && (SECRET_SHAPE.test(value) || hasCredentials(value) || isSecretText(value))
  );
}

function hasCredentials(text: string): boolean {
  return Array.from(text.matchAll(BASIC)).some(([, code = ""]) => NAME_AND_COLON.test(atob(code)));
}

/** In a message a number behind a letter is one of an order; in a trait it may be a card's. */
function isSecretText(text: string): boolean {
  const apart = text.replace(/\p{L}(?=\p{Nd})/gu, "$&|");
  return [text, apart].some((each) => maskShapes(each) !== each);
}
