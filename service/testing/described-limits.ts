type Json = Readonly<Record<string, unknown>>;
export type Path = readonly (string | number)[];

/** One side of a limit: a value that the service takes, and the next one, which it refuses. */
export interface Limit {
  readonly name: string;
  readonly at: Path;
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}

/** Written with two UTF-16 units, and one character for JSON Schema. */
const ASTRAL = "😀";
const DOMAIN = `@${"d".repeat(60)}.${"d".repeat(60)}.example`;

const patternOf = ({ pattern }: Json) => (typeof pattern === "string" ? pattern : "");

/** A text of exactly `length` characters that fits a schema's pattern. */
function textOf(schema: Json, length: number): string[] {
  const pattern = patternOf(schema);
  if (pattern.includes("@")) {
    const local = length - DOMAIN.length;
    // RFC 5321 gives the local part 64 octets, and a long address its length by the domain.
    const rest = Math.max(0, local - 64);
    return [
      `${"a".repeat(local - rest)}@${"d".repeat(Math.max(rest - 1, 0))}${rest > 0 ? "." : ""}${DOMAIN.slice(1)}`,
    ];
  }
  if (pattern.includes("A-Za-z")) return ["a".repeat(length)];
  return ["a".repeat(length), ASTRAL.repeat(length)];
}

/** The longest text that a pattern allows, from its last bound. */
function boundOf(schema: Json): number | undefined {
  if (typeof schema["maxLength"] === "number") return schema["maxLength"];
  const pattern = patternOf(schema);
  const [, bound] = /\{\d+,(\d+)\}\)?\$$/.exec(pattern) ?? /^\^\(\?=\.\{\d+,(\d+)\}\$\)/.exec(pattern) ?? [];
  return bound === undefined ? undefined : Number(bound);
}

/** The `next` of an earlier page: any other text is refused, however long it is. */
export const OPAQUE = "after";

/** Every limit that a request's schema names; a string, number, array or open object without one is reported by name. */
export function limitsIn(schema: Json, at: Path, unlimited: string[]): Limit[] {
  const name = at.join(".");
  const limit = (
    what: string,
    taken: readonly unknown[],
    refused: readonly unknown[],
    where = at,
  ): Limit => ({
    name: `${name} ${what}`,
    at: where,
    taken,
    refused,
  });
  if (Array.isArray(schema["anyOf"]))
    return schema["anyOf"].flatMap((one: Json) =>
      one["type"] === "string" ? limitsIn(one, at, unlimited) : [],
    );
  if (schema["enum"] !== undefined || schema["const"] !== undefined) {
    return [limit("is one of few", [], ["something else"])];
  }
  switch (schema["type"]) {
    case "string": {
      const most = boundOf(schema);
      if (most === undefined) {
        unlimited.push(name);
        return [];
      }
      const least = schema["minLength"] === 1 ? [limit("is not empty", [], [""])] : [];
      if (name === OPAQUE) return least;
      return [
        limit(`has at most ${most} characters`, textOf(schema, most), textOf(schema, most + 1)),
        ...least,
      ];
    }
    case "integer": {
      const least = schema["minimum"] ?? Number(schema["exclusiveMinimum"]) + 1;
      const most = schema["maximum"];
      if (typeof least !== "number" || typeof most !== "number") {
        unlimited.push(name);
        return [];
      }
      return [limit(`is from ${least} to ${most}`, [least], [least - 1, most + 1])];
    }
    case "array": {
      const most = schema["maxItems"];
      if (typeof most !== "number") {
        unlimited.push(name);
        return [];
      }
      const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `file-${index}` }));
      return [
        limit(`has at most ${most} entries`, [items(most)], [items(most + 1)]),
        ...limitsIn(schema["items"] as Json, [...at, 0], unlimited),
      ];
    }
    case "object": {
      const own = Object.entries((schema["properties"] ?? {}) as Record<string, Json>).flatMap(
        ([key, inner]) => limitsIn(inner, [...at, key], unlimited),
      );
      const open = schema["additionalProperties"];
      if (typeof open !== "object" || open === null) return own;
      const most = schema["maxProperties"];
      const names = schema["propertyNames"] as Json | undefined;
      // The first character of a name stands outside the pattern's last bound.
      const longest = names && (boundOf(names) ?? Number.NaN) + 1;
      if (typeof most !== "number" || !longest) {
        unlimited.push(name);
        return own;
      }
      const entries = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, index]));
      return [
        ...own,
        limit(`has at most ${most} entries`, [entries(most)], [entries(most + 1)]),
        limit(
          `has names of at most ${longest} characters`,
          [{ ["n".repeat(longest)]: 1 }],
          [{ ["n".repeat(longest + 1)]: 1 }],
        ),
        ...limitsIn(open as Json, [...at, "trait"], unlimited),
      ];
    }
    default:
      return [];
  }
}
