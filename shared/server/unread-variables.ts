import { distance } from "fastest-levenshtein";
import type { Environment } from "./environment.ts";

/** A name may have one wrong letter for each six. Shorter names must fit exactly. */
const LETTERS_OF_ONE_SLIP = 6;

/** Variables of the other server whose names differ from ours by one letter; one environment may serve both. */
const OF_THE_OTHER: ReadonlySet<string> = new Set([
  "AGENT_PROVIDER",
  "AGENT_PROVIDERS",
  "HANDOFF_ADAPTER",
  "HANDOFF_ADAPTERS",
]);

/**
 * Sentences about variables that nobody reads, though their names look like one of `known`: other case, no underscore, a
 * plural, a prefix of the product, a slip. Values are not looked at, because they may be secrets.
 */
export function unreadVariables(env: Environment, known: ReadonlySet<string>): readonly string[] {
  const hasLimits = [...known].some((name) => name.startsWith("LIMIT_"));
  return Object.keys(env).flatMap((name) => {
    if (!env[name]?.trim() || known.has(name) || OF_THE_OTHER.has(name)) return [];
    const meant = meantBy(bareOf(name), known);
    if (meant !== undefined) return [`${name} is not read. Did you mean ${meant}?`];
    return hasLimits && name.startsWith("LIMIT_") ? [`${name} is not read: there is no such limit.`] : [];
  });
}

function meantBy(bare: string, known: ReadonlySet<string>): string | undefined {
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of known) {
    const letters = bareOf(name);
    const slips = distance(bare, letters);
    if (slips > letters.length / LETTERS_OF_ONE_SLIP || slips >= least) continue;
    nearest = name;
    least = slips;
  }
  return nearest;
}

/** The letters by which names are compared: `PARLEY_BASE_URL_FILE` and `baseurl` are `BASEURL`. */
function bareOf(name: string): string {
  const words = name
    .toUpperCase()
    .replace(/^PARLEY_/, "")
    .replace(/_FILE$/, "")
    .split(/[^A-Z0-9]+/);
  return words.map((word) => word.replace(/IES$/, "Y").replace(/([^S])S$/, "$1")).join("");
}
