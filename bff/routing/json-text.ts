import { quote } from "./wording.ts";

/** Deepest nesting that a configuration needs, with room to spare; deeper is a mistake. */
const MAX_DEPTH = 16;

/** Something that `JSON.parse` would let through; `path` leads to where it stands. */
export interface JsonFault {
  readonly path: readonly (string | number)[];
  readonly key?: string;
  readonly fault: string;
}

/** Thrown when the text is not JSON; the message says where and what was expected, and repeats nothing of the text. */
export class JsonTextError extends Error {
  constructor(text: string, at: number, expected: string) {
    const lines = text.slice(0, at).split("\n");
    const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    super(`${place}: ${at < text.length ? "" : "the text ends where "}${expected} is expected`);
    this.name = "JsonTextError";
  }
}

/** A text may hold any character but C0 controls, quote and backslash (RFC 8259, 7). */
const TOKEN =
  /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const SPACE = /[ \t\r\n]*/y;

type Path = readonly (string | number)[];

/** How far the text is read, and what was found on the way. */
interface Cursor {
  readonly text: string;
  at: number;
  readonly faults: JsonFault[];
}

/**
 * Reads JSON that a person wrote. Beside the value it gives what `JSON.parse` drops in silence: a key that stands
 * there twice, `__proto__`, and numbers that lose their value.
 *
 * @throws JsonTextError with line and column when the text is not JSON
 */
export function readJsonText(text: string): { value: unknown; faults: readonly JsonFault[] } {
  const cursor: Cursor = { text, at: 0, faults: [] };
  const value = readValue(cursor, []);
  if (peek(cursor) !== "") fail(cursor, "the end of the text");
  return { value, faults: cursor.faults };
}

function readValue(cursor: Cursor, path: Path): unknown {
  if (path.length > MAX_DEPTH) fail(cursor, `at most ${MAX_DEPTH} levels`);
  const first = peek(cursor);
  if (first === "[") return readList(cursor, path);
  if (first === "{") return readObject(cursor, path);
  const token = takeToken(cursor, "a value");
  const value: unknown = JSON.parse(token);
  if (typeof value !== "number" || isExact(value)) return value;
  cursor.faults.push({ path, fault: `holds the number ${token.slice(0, 40)}, which can't be kept exactly` });
  // Told once: a check of the value that it became would tell it again.
  return 0;
}

function readList(cursor: Cursor, path: Path): unknown[] {
  const list: unknown[] = [];
  takeSign(cursor, "[");
  if (peek(cursor) === "]") takeSign(cursor, "]");
  else {
    do list.push(readValue(cursor, [...path, list.length]));
    while (takeSign(cursor, ",]") === ",");
  }
  return list;
}

function readObject(cursor: Cursor, path: Path): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  takeSign(cursor, "{");
  if (peek(cursor) === "}") takeSign(cursor, "}");
  else {
    do {
      if (peek(cursor) !== '"') fail(cursor, "a key in double quotes");
      const key: string = JSON.parse(takeToken(cursor, "a key in double quotes"));
      takeSign(cursor, ":");
      const value = readValue(cursor, [...path, key]);
      if (key === "__proto__") cursor.faults.push({ path, key, fault: 'holds the reserved key "__proto__"' });
      else if (entries.has(key))
        cursor.faults.push({ path, key, fault: `holds the key ${quote(key)} twice` });
      else entries.set(key, value);
    } while (takeSign(cursor, ",}") === ",");
  }
  return Object.fromEntries(entries);
}

/** The next character that is not white space; empty at the end. */
function peek(cursor: Cursor): string {
  SPACE.lastIndex = cursor.at;
  cursor.at += SPACE.exec(cursor.text)?.[0].length ?? 0;
  return cursor.text.charAt(cursor.at);
}

function takeToken(cursor: Cursor, expected: string): string {
  peek(cursor);
  TOKEN.lastIndex = cursor.at;
  const token = TOKEN.exec(cursor.text)?.[0] ?? fail(cursor, expected);
  cursor.at += token.length;
  return token;
}

function takeSign(cursor: Cursor, allowed: string): string {
  const sign = peek(cursor);
  if (sign === "" || !allowed.includes(sign)) fail(cursor, allowed.split("").join(" or "));
  cursor.at += 1;
  return sign;
}

function fail(cursor: Cursor, expected: string): never {
  peek(cursor);
  throw new JsonTextError(cursor.text, cursor.at, expected);
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
