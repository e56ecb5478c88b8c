import { expect, test } from "vitest";
import knowledgeSentences from "../knowledge/knowledge-sentences.json" with { type: "json" };
import sentences from "./openai-sentences.json" with { type: "json" };
import { openaiSentencesFor } from "./openai-texts.ts";

test("LANG8 the openai agent has each sentence in every language that the knowledge agent has", () => {
  expect(Object.keys(sentences)).toEqual(Object.keys(knowledgeSentences));
  const english = new Set(Object.values(sentences.en));
  const others = Object.entries(sentences).filter(([language]) => language !== "en");
  const untranslated = others.filter(([, one]) => Object.values(one).some((text) => english.has(text)));
  expect(untranslated.map(([language]) => language)).toEqual([]);
});

test("LANG8 the openai agent's sentences are found from a regional tag of each language", () => {
  for (const [language, one] of Object.entries(sentences)) {
    // Only Spain has the Spanish of Spain.
    const regional = language === "es" ? "es-ES" : `${language}-x-shop`;
    expect(openaiSentencesFor(regional), regional).toEqual(one);
  }
  expect(openaiSentencesFor("sv-FI")).toEqual(sentences.sv);
  expect(openaiSentencesFor("nn-NO")).toEqual(sentences.nb);
  expect(openaiSentencesFor("sr-Latn-RS")).toEqual(sentences["sr-latn"]);
  expect(openaiSentencesFor("es-MX")).toEqual(sentences["es-419"]);
  expect(openaiSentencesFor("zh-Hant-HK")).toEqual(sentences["zh-tw"]);
});

test("LANG8 no sentence of the openai agent begins with a Latin letter in a language from right to left", () => {
  const all = ["ar", "fa", "he", "ur"].flatMap((language) => Object.values(openaiSentencesFor(language)));
  expect(all.filter((text) => /^\P{L}*\p{Script=Latin}/u.test(text))).toEqual([]);
});
