import type { Traits } from "../../shared/traits.ts";
import { parseJson } from "./wire.ts";

/** The page's traits that the BFF accepts: one wrong trait must not cost the whole chat. */
export function readTraits(text: string): Traits {
  // A page may send anything: what is no JSON object has no traits.
  const entries = Object.entries(Object(parseJson(text)) as object);
  return Object.fromEntries(entries.filter(isTrait).slice(0, 50)) as Traits;
}

function isTrait([name, value]: [string, unknown]): boolean {
  if (!/^(?!constr|protot)[A-Za-z][\w.-]{0,63}$/.test(name)) return false;
  // No control characters, and no half of a pair.
  if (typeof value === "string") return value.length <= 256 && !/[\p{Cc}\p{Cs}]/u.test(value);
  // The BFF takes no number that loses its value on the way.
  if (typeof value === "number") return Math.abs(value) < 2 ** 53;
  return value === null || typeof value === "boolean";
}
