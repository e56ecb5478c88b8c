import { expect, test } from "vitest";
import { readFields } from "./field-index.ts";
import { atOnce } from "./in-turns.ts";

test("the index finds a term in exactly the units that have it, in whichever field", () => {
  const vocabulary = ["return", "parcel", "refund", "address", "voucher"];
  const units = Array.from({ length: 40 }, (_, number) => {
    const own = vocabulary.filter((_, at) => (number + at) % (at + 2) === 0);
    return { title: own.slice(0, 1), heading: own.slice(1, 2), text: own.slice(2) };
  });
  const index = atOnce(readFields(units));
  for (const term of [...vocabulary, "unheard"]) {
    const having = units.flatMap(({ title, heading, text }, number) =>
      [...title, ...heading, ...text].includes(term) ? [number] : [],
    );
    const found = units.flatMap((_, number) => (index.isIn(term, number) ? [number] : []));
    expect(found).toEqual(having);
  }
});
