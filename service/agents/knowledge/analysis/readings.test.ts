import { expect, test } from "vitest";
import { readingsOf } from "./readings.ts";

test("one sentence is read as it is", () => {
  expect(readingsOf("How long does delivery take?")).toEqual([]);
  expect(readingsOf("")).toEqual([]);
});

test("each sentence is read by itself, and one that asks also with the sentence before it", () => {
  expect(readingsOf("The cup has a crack. What can I do? Thanks")).toEqual([
    { text: "The cup has a crack.", isQuestion: false },
    { text: "What can I do?", isQuestion: true },
    { text: "The cup has a crack. What can I do?", isQuestion: true },
    { text: "Thanks", isQuestion: false },
  ]);
});

test.each([
  ["a small letter follows", "i like tea. how much is postage"],
  ["the next line asks", "I like tea\nHow much is postage"],
  ["Chinese has no spaces", "我喜欢茶。邮费是多少？"],
  ["Arabic has marks of its own", "أحب الشاي. كم تكلفة الشحن؟"],
  ["German asks without a mark", "Ich mag Tee. Wie teuer ist der Versand"],
  ["French begins with a dash", "J'aime le thé. Est-ce que la livraison est chère"],
])("a question ends and begins where people write it: %s", (_fact, text) => {
  expect(readingsOf(text).map(({ isQuestion }) => isQuestion)).toEqual([false, true, true]);
});

test("only the first and the last sentences of a letter are read", () => {
  const letter = Array.from({ length: 50 }, (_, at) => `Sentence ${at}.`).join(" ");
  const texts = readingsOf(letter).map(({ text }) => text);
  expect(texts).toHaveLength(8);
  expect([texts[0], texts.at(-1)]).toEqual(["Sentence 0.", "Sentence 49."]);
});
