import { expect, test } from "vitest";
import { decide } from "./answerer.ts";
import { parseArticle } from "./article.ts";
import { createPassageSearch } from "./passages.ts";

const [found] = createPassageSearch([parseArticle("a.md", "# Teapots\n\nTeapots are red.")]).find({
  text: "Which colour are teapots?",
}).passages;
if (!found) throw new Error("The article was not found.");
const likely = { ...found, id: "likely", probability: 0.9 };
const unlikely = { ...found, id: "unlikely", probability: 0.01 };

test("a passage that another ranking moved to the front does not hide a likely one behind it", () => {
  expect(decide([unlikely, likely])).toEqual({ kind: "quote", passage: likely, offered: [] });
  const offered = { ...likely, probability: 0.3 };
  expect(decide([unlikely, offered])).toEqual({ kind: "offer", offered: [offered, unlikely] });
});

test("unlikely passages alone are no answer", () => {
  expect(decide([unlikely])).toEqual({ kind: "nothing" });
});
