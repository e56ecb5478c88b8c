import type { ActionKind } from "./claim-phrases.ts";
import { COMPILED, type Compiled } from "./compiled-phrases.ts";
import { readingsOf } from "./plain-words.ts";
import { FOREIGN_FROM, possibleFor } from "./sentence-languages.ts";

const NOT_YET = /(?:^| )(?:pending|fail\w*|error|to be|will be|can be|awaiting|partially|un|non)(?= |$)/;

/** Returns the kinds of action that a status names as happened: "CANCELLED", "refund_issued", but not "not shipped". */
export function kindsNamedIn(text: string): readonly ActionKind[] {
  const words = readingsOf(text.replace(/[_.-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2"))[0] ?? "";
  if (NOT_YET.test(words) || COMPILED.some(({ not }) => not.test(words))) return [];
  return COMPILED.flatMap(({ kinds }) =>
    kinds.filter(([, pattern]) => pattern.test(words)).map(([kind]) => kind),
  );
}

/**
 * Returns the kinds of action that a sentence states as happened. A word counts only in a language that its clause can be
 * in, and only without a condition before it.
 */
export function kindsStatedIn(sentence: string): readonly ActionKind[] {
  // Without accents, "change" and "clôture" are French participles.
  const hasFrench = /é|mis|pris/.test(sentence.toLowerCase().normalize("NFC"));
  return readingsOf(sentence).flatMap((words) => {
    const possible = possibleFor(words).filter(({ compiled }) => hasFrench || compiled.language !== "fr");
    const most = Math.max(...possible.map(({ familiarity }) => familiarity));
    return possible
      .filter(({ familiarity }) => (familiarity + 1) * FOREIGN_FROM > most)
      .flatMap(({ compiled }) => kindsStatedBy(words, compiled));
  });
}

function kindsStatedBy(words: string, { stated, unless, isSpaced }: Compiled): readonly ActionKind[] {
  const found = stated.map(([kind, pattern]) => [kind, words.search(pattern)] as const);
  // A word such as "effectué" is in two lists.
  const done = found.find(([kind]) => kind === "done")?.[1];
  return found.flatMap(([kind, at]) => {
    if (at < 0 || (kind !== "done" && at === done)) return [];
    // Without accents, the German "wurde" is "würde".
    const before = words.slice(0, at).replace(/(?<=^| )wurden?(?= )/, " ");
    return unless.test(isSpaced ? ` ${before} ` : words) ? [] : kind;
  });
}
