import { expect, test } from "vitest";
import { decide } from "./answerer.ts";
import { parseArticle } from "./article.ts";
import { createPassageSearch, type Passage } from "./passages.ts";
import type { Features } from "./ranking/features.ts";

const [found] = createPassageSearch([parseArticle("a.md", "# Teapots\n\nTeapots are red.")]).find({
  text: "Which colour are teapots?",
}).passages;
if (!found) throw new Error("The article was not found.");
const unlikely = { ...found, id: "unlikely", probability: 0.01 };

test("an unlikely passage is offered if words and another ranking both have it, and is never quoted", () => {
  const near = { ...unlikely, probability: 0.04 };
  expect(decide([near, unlikely]).kind).toBe("nearest");
  expect(decide([{ ...near, isNearest: true }]).kind).toBe("offer");
  expect(decide([{ ...unlikely, isNearest: true }, unlikely]).kind).toBe("nearest");
});

test("unlikely passages are no answer; those that have something of the question are named as the nearest", () => {
  const decideTwo = (passage: Passage) => decide([passage, { ...passage, id: "other" }]);
  expect(decideTwo(unlikely).kind).toBe("nearest");
  expect(decideTwo({ ...unlikely, probability: 0.009 })).toEqual({ kind: "nothing" });
  const covered = { ...found.features, cover: 0.1 } as Features;
  expect(decideTwo({ ...unlikely, features: covered })).toEqual({ kind: "nothing" });
  // "These articles" are several.
  expect(decide([unlikely])).toEqual({ kind: "nothing" });
});
