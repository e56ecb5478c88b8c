import { stemmer } from "@orama/stemmers/german";

/** Prefixes that stand before the "ge" of a participle: "zurück-ge-schickt". */
const SEPARABLE =
  /^(ab|an|auf|aus|bei|dazu|durch|ein|fest|frei|her|hin|los|mit|nach|nieder|um|vor|weg|weiter|wieder|zu|zurück|zusammen)(?:ge|zu)(.{3,}(?:t|en))$/;

/** Participles whose vowel changes, with what customers and articles write instead. */
const STRONG: readonly (readonly [participle: string, verb: string])[] = [
  ["brochen", "brechen"],
  ["nommen", "nehmen"],
  ["zogen", "ziehen"],
  ["schrieben", "schreiben"],
  ["rissen", "reißen"],
  ["stohlen", "stehlen"],
  ["wiesen", "weisen"],
  ["boten", "bieten"],
  ["schlossen", "schließen"],
  ["loren", "lieren"],
  ["sandt", "senden"],
  ["holfen", "helfen"],
  ["sprochen", "sprechen"],
  ["troffen", "treffen"],
  ["worfen", "werfen"],
  ["schoben", "schieben"],
  ["hoben", "heben"],
  ["bracht", "bringen"],
  ["schnitten", "schneiden"],
  ["sprungen", "springen"],
];

/**
 * The stem of a German word. Snowball's stemmer leaves the forms of a verb apart: "liefern", "liefert", "geliefert" and
 * "Lieferung" are one word here.
 */
export function germanStem(word: string): string {
  const separated = word.replace(SEPARABLE, "$1$2");
  const participle = STRONG.find(([form]) => separated.endsWith(form) && separated.length < form.length + 9);
  const verb = participle
    ? `${separated.slice(0, -participle[0].length).replace(/^ge$/, "")}${participle[1]}`
    : separated;
  const stem = stemmer(verb)
    .replace(/^ge(.{3,})t$/, "$1t")
    .replace(/^(.{4,})ung$/, "$1")
    .replace(/^(.{3,}?)(?:e?t)+$/, "$1");
  return stemmer(stem);
}
