// @vitest-environment node
import { expect, it } from "vitest";
import { readLoaderWords } from "./loader-words.ts";
import { localeTags } from "./locale-assets.ts";

it("LANG7 the loader has its texts in each language that the panel has, and in English first", () => {
  const all = readLoaderWords();
  expect(all.map(({ lang }) => lang)).toEqual(["en", ...localeTags()]);
  expect(all.length).toBeGreaterThan(60);
  for (const { lang, ...words } of all) {
    for (const text of Object.values(words)) expect(text, lang).toMatch(/^(?!.*[{}])\S.*\S$/);
  }
  expect(Object.fromEntries(all.map(({ lang, launcher }) => [lang, launcher]))).toMatchObject({
    en: "Open chat",
    de: "Chat öffnen",
  });
});
