import { type ActionArgument, MAX_ACTION_ARGUMENTS } from "../../shared/action.ts";

const MAX_LABEL = 200;
const MAX_VALUE = 1000;
/** Characters that hide text or turn it around: what a card shows must be what is sent. */
const HIDDEN = /[^\P{C}\n\t\u200c\u200d]/u;

type Json = Readonly<Record<string, unknown>>;

/**
 * Every argument of a call in words: the name that the tool's schema gives it, and its value. Undefined for a call that a
 * card could not show whole and as it is.
 */
export function argumentsOf(schema: Json, input: Json): ActionArgument[] | undefined {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const names = [...new Set([...Object.keys(properties), ...Object.keys(input)])].filter((name) =>
    Object.hasOwn(input, name),
  );
  const shown = names.map((name) => ({
    label: labelOf(name, properties[name]),
    value: shownValue(input[name]),
  }));
  const fits = ({ label, value }: ActionArgument) =>
    label !== "" && label.length <= MAX_LABEL && value.length <= MAX_VALUE && !HIDDEN.test(label + value);
  return shown.length <= MAX_ACTION_ARGUMENTS && shown.every(fits) ? shown : undefined;
}

/** The service's own name for a tool as words: `cancel_order` becomes "Cancel order". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_.\-\s]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function labelOf(name: string, property: unknown): string {
  const title = isObject(property) ? property["title"] : undefined;
  return typeof title === "string" && title.trim() !== "" ? title.trim() : wordsOf(name);
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
