import { jsonOf } from "../../shared/json.ts";

/** A status is short: "cancelled", "REFUND_ISSUED". A longer text is a note. */
const MAX_STATUS_WORDS = 3;
const MAX_STATUS = 40;
/** Reading 1,900 of them took 0.25 s, in which every other request waited. What is not read verifies nothing. */
const MAX_STATUSES = 200;
const STATUS_LINE = /^[ \t]*status[ \t]*[:=][ \t]*([^\n.;,:]{1,40})/gim;
/** Any other field may hold what somebody wrote: a note, a name, the words of a search. */
const STATUS_FIELD = /(?:status|state|outcome)(?:_?(?:code|name|text))?$/i;
/** In an object that is a status, and in a list of one, these are the status itself: `{ state: { name: "Shipped" } }`. */
const STATUS_ITSELF = /^(?:code|name|text|value|label|0)$/i;
/** What was before, is wanted, is possible or was searched for. Nothing in such a field is a status. */
const OTHER_FIELD =
  /previous|histor|initial|original|requested|desired|expected|allowed|available|possible|^(?:events|timeline|search|where)$|^(?:old|from(?![a-z])|former|prior(?!ity)|next|target|default)|^(?:filters?|query|params?|parameters|input|arguments|criteria)$/i;
const MAX_DEPTH = 20;

/** What a reading tool returned, as far as an answer may repeat it. */
export interface ToolResult {
  /** All its texts. */
  readonly texts: ReadonlySet<string>;
  /** What fields for a status say. A text that is no JSON says it in its only line "Status: shipped", or as a whole. */
  readonly statuses: readonly string[];
}

/** Reads a tool's text, which may be JSON. Of a failed result, and below `MAX_DEPTH`, nothing is read. */
export function readToolResult(result: unknown): ToolResult {
  const text = textOf(result);
  const json = text === undefined ? result : jsonOf(text);
  const found = [...(text === undefined ? [] : [text]), ...textsIn(json)];
  const stated = text !== undefined && typeof json !== "object" ? statusesOfText(text) : statusesIn(json);
  const statuses = new Set(stated.filter(isShort));
  return { texts: new Set(found), statuses: [...statuses].slice(0, MAX_STATUSES) };
}

/** The text of a result that is one. */
function textOf(result: unknown): string | undefined {
  if (typeof result === "string") return result;
  const isText = typeof result === "object" && result !== null && !isFailed(result) && "text" in result;
  return isText && typeof result.text === "string" ? result.text : undefined;
}

/** With two status lines, one may be from a note, so none counts. */
function statusesOfText(text: string): string[] {
  const [status, another] = Array.from(text.matchAll(STATUS_LINE), ([, word = ""]) => word);
  return another === undefined && status !== undefined ? [text, status] : [text];
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  return partsOf(value, depth).flatMap(([, inner]) => textsIn(inner, depth + 1));
}

/** @param isNamed whether the value is what a field for a status says */
function statusesIn(value: unknown, isNamed = false, depth = 0): string[] {
  if (typeof value === "string") return isNamed ? [value] : [];
  // A list of statuses says which ones there are.
  if (Array.isArray(value) && value.length > 1) isNamed = false;
  return partsOf(value, depth)
    .filter(([key]) => !OTHER_FIELD.test(key))
    .flatMap(([key, inner]) =>
      statusesIn(inner, isStatus(key, inner) || (isNamed && STATUS_ITSELF.test(key)), depth + 1),
    );
}

/** A `result` is often the wrapper of all. */
const isStatus = (key: string, value: unknown) =>
  STATUS_FIELD.test(key) || (/^result$/i.test(key) && typeof value === "string");

function partsOf(value: unknown, depth: number): [string, unknown][] {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH || isFailed(value)) return [];
  return Object.entries(value);
}

const isFailed = (value: object) => "isError" in value && value.isError === true;

const isShort = (text: string) =>
  text.length <= MAX_STATUS && text.trim().split(/[\s_-]+/).length <= MAX_STATUS_WORDS;
