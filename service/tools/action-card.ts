import { type ActionArgument, MAX_ACTION_ARGUMENTS } from "../../shared/action.ts";

const MAX_LABEL = 200;
const MAX_VALUE = 1000;
/**
 * Control characters, and characters that hide text or turn it around; joiners have a meaning in some scripts. What a
 * card shows must be what is sent.
 */
export const HIDDEN = /[^\P{C}\n\t\u200c\u200d]/u;
const MAX_TITLE = 200;

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
  const titles = names.map((name) => titleOf(properties[name]));
  const shown = names.map((name, at) => {
    const title = titles[at];
    // A reader could not tell apart two arguments with one title.
    const isOnly = title !== undefined && titles.filter((other) => other === title).length === 1;
    return { label: isOnly ? title : wordsOf(name), value: shownValue(input[name]) };
  });
  if (new Set(shown.map(({ label }) => label)).size < shown.length) return undefined;
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

function titleOf(property: unknown): string | undefined {
  const title = isObject(property) ? property["title"] : undefined;
  return typeof title === "string" && title.trim() !== "" ? title.trim() : undefined;
}

/** A server's title for its tool, unless it is empty, too long, or hides or turns text. */
export function shownTitle(title: string | undefined): string | undefined {
  const text = title?.trim() ?? "";
  return text !== "" && text.length <= MAX_TITLE && !/[\n\t]/.test(text) && !HIDDEN.test(text)
    ? text
    : undefined;
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
