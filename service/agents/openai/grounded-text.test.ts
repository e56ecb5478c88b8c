import { describe, expect, test } from "vitest";
import { createGroundedText, renumber } from "./grounded-text.ts";
import { createSources } from "./sources.ts";

function ground(text: string, step = text.length) {
  const sources = createSources("My order 4711");
  sources.add({
    id: "a",
    title: "Delivery",
    text: "Delivery takes 3 to 5 days. Express costs €1,000.00.",
    isPublic: true,
  });
  sources.add({ id: "b", title: "Returns", text: "Returns are free within 30 days.", isPublic: true });
  const grounded = createGroundedText(sources);
  const pieces = [];
  for (let at = 0; at < text.length; at += step) pieces.push(...grounded.add(text.slice(at, at + step)));
  pieces.push(...grounded.end());
  return { text: pieces.map((piece) => piece.text).join(""), grounded, pieces };
}

const CASES: readonly (readonly [name: string, said: string, shown: string])[] = [
  ["a mark before the full stop", "Delivery takes 3 to 5 days [1].", "Delivery takes 3 to 5 days [1]."],
  [
    "a mark after the full stop",
    "It takes 3 to 5 days. [1] Returns are free. [2]",
    "It takes 3 to 5 days. [1] Returns are free. [2]",
  ],
  ["two marks", "It takes days [1][2]. More.", "It takes days [1][2]."],
  [
    "one without a source is left out",
    "We are open on Sundays. Returns are free [2].",
    "Returns are free [2].",
  ],
  ["a source that there is not", "We are open on Sundays [9].", ""],
  [
    "a number that the source does not have",
    "Returns are free within 90 days [2]. They are free [2].",
    "They are free [2].",
  ],
  ["a number of another source", "Delivery takes 30 days [1].", ""],
  ["a number of the customer", "Order 4711 is returned free [2].", "Order 4711 is returned free [2]."],
  ["another way to write a number", "Express costs €1000 [1].", "Express costs €1000 [1]."],
  ["digits of another script", "التوصيل ٣ إلى ٥ أيام [1].", "التوصيل ٣ إلى ٥ أيام [1]."],
  ["a question needs no source", "Which country is it?", "Which country is it?"],
  ["a question with a number of its own", "Do you know our 70 % sale?", ""],
  [
    "a list",
    "You can:\n\n- Wait 3 days [1]\n- Send it back [2]\n- Dance\n",
    "You can:\n\n- Wait 3 days [1]\n- Send it back [2]",
  ],
  ["numbered steps", "1. Wait [1]\n2. Send it back [2]", "1. Wait [1]\n2. Send it back [2]"],
  ["a heading without what it leads to", "You can:\nDance.\nReturns are free [2].", "Returns are free [2]."],
  [
    "a table",
    "| What | Days |\n|---|---|\n| Delivery | 3 [1] |\n| Dance | 4 |\n",
    "| What | Days |\n|---|---|\n| Delivery | 3 [1] |",
  ],
  [
    "abbreviations",
    "It takes e.g. 3 days by No. 5 post, approx. five [1].",
    "It takes e.g. 3 days by No. 5 post, approx. five [1].",
  ],
  ["Chinese", "配送需要3天[1]。我们周日营业。退货免费[2]。", "配送需要3天[1]。退货免费[2]。"],
  ["thoughts", "<think>The source [1] says 3 days [1].</think>It takes 3 days [1].", "It takes 3 days [1]."],
  ["thoughts without an end", "<think>It takes 3 days [1].", ""],
  [
    "courtesies",
    "Great question! It takes 3 days [1]. Let me know if you need more!",
    "It takes 3 days [1].",
  ],
  [
    "paragraphs",
    "It takes 3 days [1].\n\nSomething else.\n\nReturns are free [2].",
    "It takes 3 days [1].\n\nReturns are free [2].",
  ],
  ["nothing", "NO ANSWER", ""],
  ["an empty answer", "", ""],
];

describe("AGENT5 only sentences with a source of ours are shown", () => {
  test.each(CASES)("%s", (_name, said, shown) => {
    expect(ground(said).text).toBe(shown);
  });

  test.each(CASES)("%s: the same when it arrives in pieces of any size", (_name, said, shown) => {
    for (const step of [1, 2, 3, 5, 7]) expect(ground(said, step).text).toBe(shown);
  });

  test("a sentence is shown as soon as the next one begins", () => {
    const sources = createSources("");
    sources.add({ id: "a", title: "Delivery", text: "Soon.", isPublic: true });
    const grounded = createGroundedText(sources);
    expect(grounded.add("It comes soon [1]. ")).toEqual([]);
    expect(grounded.add("Then")).toEqual([{ text: "It comes soon [1].", sources: [1] }]);
  });

  test("a request for a person is heard and not shown", () => {
    const { text, grounded } = ground("Returns are free [2]. [person]");
    expect(text).toBe("Returns are free [2].");
    expect(grounded.wantsPerson).toBe(true);
  });

  test("it counts what was left out", () => {
    expect(ground("One. Returns are free [2]. Two!").grounded.leftOut).toBe(2);
  });
});

test("marks are renumbered, and a link after one is dropped", () => {
  expect(renumber("A [3](https://evil.example/x), b [4][5].", (number) => number - 2)).toBe(
    "A [1], b [2][3].",
  );
  expect(renumber("A [3][4].", () => 1)).toBe("A [1].");
});

test("a sentence or a heading without an end is left out, and does not wait for ever", () => {
  const sources = createSources("");
  sources.add({ id: "a", title: "Returns", text: "Returns are free.", isPublic: true });
  const grounded = createGroundedText(sources);
  for (let at = 0; at < 2_000; at += 1) expect(grounded.add("word word ")).toEqual([]);
  expect(grounded.leftOut).toBe(1);
  const rest = [...grounded.add("its end [1]. Returns are free [1]. "), ...grounded.end()];
  expect(rest.map(({ text }) => text)).toEqual(["Returns are free [1]."]);
  const headings = createGroundedText(sources);
  for (let at = 0; at < 2_000; at += 1) headings.add("## A heading\n\n");
  const shown = [...headings.add("Returns are free [1]. "), ...headings.end()];
  expect(shown.map(({ text }) => text).join("").length).toBeLessThan(5_000);
});

test("white space before a mark is found in linear time", () => {
  const text = `Returns are free${" ".repeat(400_000)}[1]${"\n".repeat(400_000)}today.`;
  expect(renumber(text, () => 2).trim()).toMatch(/^Returns are free \[2\]\s+today\.$/);
});
