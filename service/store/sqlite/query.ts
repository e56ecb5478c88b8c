import type { SQLInputValue } from "node:sqlite";

/** A statement and its values, which never become part of the text. */
export interface Query {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** A constant piece of a statement, such as a list of columns. */
export interface Fragment {
  readonly fragment: string;
}

/** The text of each template, joined once. */
const texts = new WeakMap<TemplateStringsArray, string>();

/** Writes a statement with its values in place: each becomes a parameter, except for fragments. */
export function q(strings: TemplateStringsArray, ...given: (SQLInputValue | Fragment)[]): Query {
  const values = given.filter(isValue);
  const known = texts.get(strings);
  if (known !== undefined) return { text: known, values };
  const places = given.map((value) => (isFragment(value) ? value.fragment : "?"));
  const text = String.raw({ raw: strings }, ...places);
  texts.set(strings, text);
  return { text, values };
}

function isValue(value: SQLInputValue | Fragment): value is SQLInputValue {
  return !isFragment(value);
}

function isFragment(value: SQLInputValue | Fragment): value is Fragment {
  return typeof value === "object" && value !== null && "fragment" in value;
}
