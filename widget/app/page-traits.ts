import type { Traits } from "../../shared/traits.ts";

/** What the page says of its visitor, as far as the BFF would take it: one wrong trait must not cost the whole chat (R47). */
export function readTraits(text = "{}"): Traits {
  try {
    const entries = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(entries.filter(isTrait).slice(0, 50)) as Traits;
  } catch {
    // Cut, or no JSON: a page may say anything.
    return {};
  }
}

function isTrait([name, value]: [string, unknown]): boolean {
  if (!/^(?!(constructor|prototype)$)[A-Za-z][\w.-]{0,63}$/.test(name)) return false;
  if (typeof value === "string") return value.length <= 256 && value.isWellFormed() && !/\p{Cc}/u.test(value);
  return value === null || typeof value === "boolean" || Number.isFinite(value);
}
