import type { ActionKind } from "../claim-phrases.ts";
import { createClaimsGuard } from "../claims-guard.ts";
import { createOwnerWords } from "../owner-words.ts";
import { loadLanguages } from "../unguarded-language.ts";

/** Tells languages as the product does. */
export const languages = await loadLanguages();

/** A guard of an English session in which no tool has reported anything. */
export function openGuard(options: Partial<Parameters<typeof createClaimsGuard>[0]> = {}) {
  return createClaimsGuard({
    locale: "en",
    verified: new Set(),
    owner: createOwnerWords(),
    languages,
    ...options,
  });
}

/** What a customer sees of an agent's text that arrives in `pieces`. */
export function shownOf(
  pieces: readonly string[],
  verified: readonly ActionKind[] = [],
  { locale = "en", article = "" } = {},
): string {
  const owner = createOwnerWords();
  owner.add(article);
  const guard = openGuard({ locale, verified: new Set(verified), owner });
  return pieces.map((piece) => guard.add(piece)).join("") + guard.end();
}
