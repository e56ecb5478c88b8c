import { describe, expect, it } from "vitest";
import { indexWords, questionWords, sameMeaning } from "./words.ts";

describe("words", () => {
  it.each([
    ["cancel", "cancelling"],
    ["cancel", "cancelled"],
    ["delivery", "deliveries"],
    ["change", "changing"],
    ["box", "boxes"],
    ["return", "returned"],
    ["glass", "glasses"],
    ["stop", "stopped"],
    ["e-mail", "email"],
  ])("%s and %s are the same word", (one, other) => {
    expect(indexWords(one)).toEqual(indexWords(other));
  });

  it("stop words are ignored, with either kind of apostrophe", () => {
    expect(questionWords("Hi, what's the? I’m don't can’t")).toEqual([]);
  });

  it("phrases are replaced in questions and in articles alike", () => {
    expect(questionWords("can I get my money back")).toEqual(indexWords("refund"));
    expect(indexWords("money back")).toEqual(questionWords("refund"));
    expect(questionWords("I can't log in")).toEqual(questionWords("sign-in"));
  });

  it("each synonym finds the others", () => {
    const [parcel = ""] = indexWords("parcel");
    const [packet = ""] = indexWords("package");
    expect(sameMeaning(parcel)).toContain(packet);
    expect(sameMeaning(packet)).toContain(parcel);
  });

  it("letters of every script form words, signs do not", () => {
    expect(questionWords("Größe straße 送料 доставка 🙃 --- \u202e")).toHaveLength(4);
  });

  it("a question has at most 40 words", () => {
    expect(questionWords(Array.from({ length: 500 }, (_, n) => `word${n}x`).join(" "))).toHaveLength(40);
  });
});
