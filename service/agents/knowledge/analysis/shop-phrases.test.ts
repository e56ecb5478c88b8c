import { expect, test } from "vitest";
import { withoutPhrases } from "./shop-phrases.ts";

test.each([
  ["en", "I want my Money  Back, money back!", "i want my money  back,  refund !"],
  ["en", "Nothing of this is a phrase", "nothing of this is a phrase"],
  ["de", "Die Kasse geht überhaupt nicht", "die kasse  fehlgeschlagen "],
  ["de", "Nichts davon ist eine Wendung", "nichts davon ist eine wendung"],
  ["fr", "Je veux être remboursé", "Je veux être remboursé"],
])("%s: %j is read as %j", (language, text, expected) => {
  expect(withoutPhrases(text, language)).toBe(expected);
});
