import { Failure } from "./errors.ts";
import { MAX_JSON_DEPTH, MAX_JSON_KEYS } from "./limits.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a JSON body from bytes whose number was already limited. Refuses what `JSON.parse` accepts but what breaks
 * later: depth over 16, over 200 keys, duplicate keys,
 * `__proto__`, numbers that lose their value, a byte order mark, bytes that are not UTF-8.
 *
 * @throws Failure `bad_json`
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw new Failure("bad_json", { cause });
  }
  const fault = findFault(text);
  if (fault) throw new Failure("bad_json", { detail: fault });
  return value;
}

/** The value of a JSON text; undefined for any other text. The parser's own message would quote it. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Walks the text of a value that `JSON.parse` accepted, so only strings, brackets and numbers need to be told apart. */
function findFault(text: string): string | undefined {
  const keysOf: (Set<string> | null)[] = [];
  let keys = 0;
  const token = /"(?:[^"\\]|\\.)*"|[[\]{}]|-?\d[\d.eE+-]*/g;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found] = match;
    const first = found.charAt(0);
    if (first === "{" || first === "[") {
      keysOf.push(first === "{" ? new Set() : null);
      if (keysOf.length > MAX_JSON_DEPTH) return `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`;
    } else if (first === "}" || first === "]") {
      keysOf.pop();
    } else if (first === '"') {
      const seen = keysOf.at(-1);
      if (!seen || !isKey(text, token.lastIndex)) continue;
      const key: string = found.includes("\\") ? JSON.parse(found) : found.slice(1, -1);
      keys += 1;
      if (key === "__proto__") return "The body holds a reserved key.";
      if (seen.has(key)) return "The body holds the same key twice.";
      if (keys > MAX_JSON_KEYS) return `The body holds more than ${MAX_JSON_KEYS} keys.`;
      seen.add(key);
    } else if (!isSafeNumber(found)) {
      return "The body has a number that can't be stored exactly.";
    }
  }
  return undefined;
}

/** In an object a string is a key exactly when a colon follows it. */
function isKey(text: string, from: number): boolean {
  let at = from;
  while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === ":";
}

function isSafeNumber(literal: string): boolean {
  const value = Number(literal);
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
