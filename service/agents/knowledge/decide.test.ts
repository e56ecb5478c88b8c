import { expect, test } from "vitest";
import { decide } from "./answerer.ts";
import { parseArticle } from "./article.ts";
import { createPassageSearch } from "./passages.ts";

const [found] = createPassageSearch([parseArticle("a.md", "# Teapots\n\nTeapots are red.")]).find({
  text: "Which colour are teapots?",
}).passages;
if (!found) throw new Error("The article was not found.");
const unlikely = { ...found, id: "unlikely", probability: 0.01 };

test("an unlikely passage is offered if words and another ranking both have it, and is never quoted", () => {
  const near = { ...unlikely, probability: 0.04 };
  expect(decide([near])).toEqual({ kind: "nothing" });
  expect(decide([{ ...near, isNearest: true }]).kind).toBe("offer");
  expect(decide([{ ...unlikely, isNearest: true }])).toEqual({ kind: "nothing" });
});

test("only unlikely passages are no answer", () => {
  expect(decide([unlikely])).toEqual({ kind: "nothing" });
});
