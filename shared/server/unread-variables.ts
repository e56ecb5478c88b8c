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

/** Names that begin so are read by one of the two servers only, and by no program of others. */
const OWN_PREFIXES = ["LIMIT_", "KNOWLEDGE_", "EMBEDDINGS_"];
const AGENT_PREFIXES = { openai: "AGENT_OPENAI_", http: "AGENT_HTTP_" };

/**
 * Sentences about variables that nobody reads, though their names look like one of `known`: other case, no underscore, a
 * plural, a prefix of the product, a slip, the same beginning. Values are not looked at, because they may be secrets.
 */
export function unreadVariables(env: Environment, known: ReadonlySet<string>): readonly string[] {
  const unread = Object.keys(env).filter(
    (name) => env[name]?.trim() && !known.has(name) && !OF_THE_OTHER.has(name),
  );
  const isRead = (prefix: string) => [...known].some((name) => name.startsWith(prefix));
  const prefixes = [...OWN_PREFIXES, ...Object.values(AGENT_PREFIXES)].filter(isRead);
  const named = unread.flatMap((name) => {
    const prefix = prefixes.find((one) => name.startsWith(one));
    const meant = meantBy(bareOf(name), known) ?? (prefix && longerFormOf(name, prefix, known));
    if (meant !== undefined) return [`${name} is not read. Did you mean ${meant}?`];
    return prefix === undefined ? [] : [`${name} is not read: there is no such variable.`];
  });
  const unlisted = Object.entries(AGENT_PREFIXES).flatMap(([agent, prefix]) =>
    known.has("AGENT_PROVIDERS") && !isRead(prefix) && unread.some((name) => name.startsWith(prefix))
      ? [`${prefix}… is not read, because AGENT_PROVIDERS does not list ${agent}.`]
      : [],
  );
  return [...named, ...unlisted];
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

/** The shortest known name that begins and ends as `name` does: `AGENT_OPENAI_API_KEY` for `AGENT_OPENAI_KEY`. */
function longerFormOf(name: string, prefix: string, known: ReadonlySet<string>): string | undefined {
  const end = `_${name.slice(prefix.length).replace(/_FILE$/, "")}`;
  const longer = [...known].filter((one) => one.startsWith(prefix) && one.endsWith(end));
  return longer.sort((one, other) => one.length - other.length)[0];
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
