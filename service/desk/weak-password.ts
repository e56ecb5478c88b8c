import { codePoints } from "../../shared/text.ts";

/** The letters of passwords that stand at the top of every leaked list, without the digits people put after them. */
const COMMON = new Set(
  `password passwort passw passwd pass admin administrator root welcome letmein changeme default secret login master
  qwerty qwertz qwertyuiop qwertzuiop qwertyuiopasdfghjkl azerty asdfghjkl asdfgh zxcvbnm qazwsx qazwsxedc
  abc abcd abcdef abcdefg abcdefgh abcdefghijkl iloveyou iloveu sunshine princess dragon monkey football baseball
  superman batman trustno starwars pokemon hello whatever freedom shadow michael jennifer jordan liverpool
  chelsea arsenal summer winter spring autumn monday friday january december test testing demo guest user support
  helpdesk service company internet computer samsung google facebook correcthorsebatterystaple mypassword
  thisismypassword yourpassword password password passwordpassword harbourandpine harbourpine harborandpine harborpine
  parley parleydesk supportdesk`.split(/\s+/),
);

const LOOKALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

const LEAST_CHARACTERS = 12;
const LEAST_DIFFERENT = 5;

/**
 * Why a password is refused, as a sentence, or `undefined` when it may be used. Length is checked by the contract as
 * well; here is what length does not see: common passwords, digits alone, and words that everybody knows of this user.
 *
 * @param known the user's address and name and the shop's name
 */
export function weaknessOf(password: string, known: readonly string[]): string | undefined {
  if (codePoints(password) < LEAST_CHARACTERS)
    return `Choose a password of at least ${LEAST_CHARACTERS} characters.`;
  const plain = password.normalize("NFKC").toLowerCase();
  if (new Set(plain).size < LEAST_DIFFERENT || /^[\d\s\p{P}]+$/u.test(plain) || isRow(plain)) {
    return "This password is easy to guess. Choose one with more different characters, such as four unrelated words.";
  }
  const letters = lettersOf(plain);
  if (COMMON.has(letters) || COMMON.has(unitOf(letters))) {
    return "This password is on the lists that attackers try first. Choose another, such as four unrelated words.";
  }
  const knownWords = known.flatMap(wordsOf).filter((word) => word.length >= 3);
  if (knownWords.some((word) => letters === word || unitOf(letters) === word || plain === word)) {
    return "This password is made of your name, your address or the shop's name. Choose another.";
  }
  return undefined;
}

/** `p@ssw0rd-1234` becomes `password`: the ends lose their digits and signs, lookalikes become letters. */
function lettersOf(plain: string): string {
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return Array.from(core)
    .map((character) => LOOKALIKES[character] ?? character)
    .join("")
    .replace(/[^\p{L}]/gu, "");
}

/** What is said again and again: `letmeinletmein` is `letmein`. */
function unitOf(letters: string): string {
  return /^(.+?)\1+$/u.exec(letters)?.[1] ?? letters;
}

/** `ada.lovelace@shop.example` gives the address, its parts, and the parts together. */
function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKC").toLowerCase();
  const [local = "", domain = ""] = plain.split("@");
  const whole = [plain, local, domain, domain.split(".")[0] ?? ""].map((part) =>
    part.replace(/[^\p{L}]/gu, ""),
  );
  return [plain, ...whole, ...plain.split(/[^\p{L}]+/u)];
}

/** A row of neighbours on the keyboard or in the alphabet, forwards or backwards. */
function isRow(plain: string): boolean {
  const rows = [
    "abcdefghijklmnopqrstuvwxyz",
    "1234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "1qaz2wsx3edc4rfv5tgb",
  ];
  const joined = rows.join("").repeat(2);
  const backwards = Array.from(joined).reverse().join("");
  return joined.includes(plain) || backwards.includes(plain);
}
