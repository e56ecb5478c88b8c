import { codePoints } from "../../shared/characters.ts";

/** Reads an unknown value as a T, or throws a Mismatch. */
export type Reader<T> = (value: unknown) => T;

/** Thrown when a value does not have the expected shape. It contains nothing of the value. */
class Mismatch extends Error {}

export function refuse(): never {
  throw new Mismatch("not of the expected shape");
}

/** One reader per field of T; a reader of an optional field accepts `undefined`. A forgotten field does not compile. */
export type Shape<T> = {
  readonly [K in keyof Required<T>]: Record<never, never> extends Pick<T, K>
    ? Reader<T[K] | undefined>
    : Reader<T[K]>;
};

/** The value as a T, or undefined if it is not one. */
export function readAs<T>(reader: Reader<T>, value: unknown): T | undefined {
  try {
    return reader(value);
  } catch (error) {
    if (error instanceof Mismatch) return undefined;
    throw error;
  }
}

/** An object's known fields; others are dropped, so that nothing unchecked is passed on. */
export function record<T extends object>(shape: Shape<T>): Reader<T> {
  const fields = Object.entries(shape) as [string, Reader<unknown>][];
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) refuse();
    const read: Record<string, unknown> = {};
    for (const [name, reader] of fields) {
      const field = reader(Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined);
      if (field !== undefined) read[name] = field;
    }
    return read as T;
  };
}

/** Reads an answer with these fields; undefined for a value of any other shape. */
export function answer<T extends object>(shape: Shape<T>): (value: unknown) => T | undefined {
  const reader = record<T>(shape);
  return (value) => readAs(reader, value);
}

/** Text of `min` to `max` code points. */
export function text(min = 0, max = Number.POSITIVE_INFINITY): Reader<string> {
  return (value) => {
    if (typeof value !== "string") return refuse();
    const length = min === 0 && value.length <= max ? 0 : codePoints(value);
    return length >= min && length <= max ? value : refuse();
  };
}

export function matching(pattern: RegExp): Reader<string> {
  return (value) => (typeof value === "string" && pattern.test(value) ? value : refuse());
}

export function integer(min: number): Reader<number> {
  return (value) => (Number.isSafeInteger(value) && (value as number) >= min ? (value as number) : refuse());
}

export function oneOf<const T extends string | boolean>(...values: readonly T[]): Reader<T> {
  return (value) => (values.includes(value as T) ? (value as T) : refuse());
}

export function list<T>(item: Reader<T>, max = Number.POSITIVE_INFINITY): Reader<T[]> {
  return (value) =>
    Array.isArray(value) && value.length <= max ? value.map((entry) => item(entry)) : refuse();
}

export function maybe<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value) => (value === undefined ? undefined : reader(value));
}

export function orNull<T>(reader: Reader<T>): Reader<T | null> {
  return (value) => (value === null ? null : reader(value));
}
