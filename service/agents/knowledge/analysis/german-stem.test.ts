import { expect, test } from "vitest";
import { germanStem } from "./german-stem.ts";

test.each([
  ["liefern liefert geliefert Lieferung"],
  ["zurückschicken zurückgeschickt zurückzuschicken"],
  ["bestellen bestellt Bestellung"],
  ["löschen gelöscht Löschung"],
  ["umziehen umgezogen"],
  ["Paket Pakete"],
])("the forms of one German word have one stem: %s", (words) => {
  const stems = new Set(words.toLowerCase().split(" ").map(germanStem));
  expect([...stems]).toHaveLength(1);
});

test("different words have different stems (control)", () => {
  expect(germanStem("versenden")).not.toBe(germanStem("verwenden"));
});
