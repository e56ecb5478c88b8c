import { expect, test } from "vitest";
import { placeSentences } from "./place-sentences.ts";

const PROPOSED = [
  { text: "The lamp is broken.", seq: 2 },
  { text: "Order 48213.", seq: 4 },
  { text: "Order 48213.", seq: 6 },
];

test("HAND6 only a line that was left as proposed keeps its place", () => {
  const text = " The lamp is broken. \n\nOrder 48213!\nIt is urgent.\nOrder 48213.\n";
  expect(placeSentences(text, PROPOSED)).toEqual([
    { text: "The lamp is broken.", seq: 2 },
    { text: "Order 48213!\nIt is urgent." },
    { text: "Order 48213.", seq: 4 },
  ]);
});

test("a proposed sentence that is repeated has each of its places once", () => {
  const text = Array.from({ length: 4 }, () => "Order 48213.").join("\n");
  expect(placeSentences(text, PROPOSED)).toEqual([
    { text: "Order 48213.", seq: 4 },
    { text: "Order 48213.", seq: 6 },
    { text: "Order 48213.\nOrder 48213." },
  ]);
});

test("a text of many lines has few parts", () => {
  expect(placeSentences("a\n".repeat(2000), PROPOSED)).toHaveLength(1);
});
