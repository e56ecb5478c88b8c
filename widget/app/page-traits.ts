import { MAX_TRAITS } from "../../shared/limits.ts";
import type { Traits } from "../../shared/traits.ts";
import { parseJson } from "../client/parse-json.ts";

/** The page's traits that the BFF accepts: one wrong trait must not cost the whole chat. */
export function readTraits(text: string): Traits {
  return Object.fromEntries(entriesOf(text).filter(isTrait).slice(0, MAX_TRAITS)) as Traits;
}

/** The names of the rejected traits, which are reported to the site's developer. */
export function refusedTraits(text: string): string[] {
  const accepted = readTraits(text);
  return entriesOf(text).flatMap(([name]) => (Object.hasOwn(accepted, name) ? [] : name));
}

// A page may send anything: everything but a JSON object has no traits.
const entriesOf = (text: string) => Object.entries(Object(parseJson(text)) as object);

function isTrait([name, value]: [string, unknown]): boolean {
  if (!/^(?!constr|protot)[A-Za-z][\w.-]{0,63}$/.test(name)) return false;
  // No control characters, and no lone surrogates.
  if (typeof value === "string") return value.length <= 256 && !/[\p{Cc}\p{Cs}]/u.test(value);
  // The BFF refuses numbers that lose precision.
  if (typeof value === "number") return Math.abs(value) < 2 ** 53;
  return value === null || typeof value === "boolean";
}
