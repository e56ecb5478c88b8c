import type { SQLOutputValue } from "node:sqlite";
import type * as z from "zod/mini";

/** Reads one column. @throws Error when the database contains something else there */
export type Column<T> = (value: SQLOutputValue | undefined, name: string) => T;
/** Reads one row of a result. @throws Error when the database contains something else there */
export type Reader<T> = (row: Readonly<Record<string, SQLOutputValue>>) => T;
/** The type of the rows that a reader returns. */
export type RowOf<R extends Reader<unknown>> = ReturnType<R>;

type Columns = Readonly<Record<string, Column<unknown>>>;

export const text: Column<string> = (value, name) => (typeof value === "string" ? value : refuse(name));

/** Whole numbers up to 2^53: node:sqlite itself throws above. */
export const integer: Column<number> = (value, name) => (typeof value === "number" ? value : refuse(name));

export function nullable<T>(column: Column<T>): Column<T | null> {
  return (value, name) => (value === null ? null : column(value, name));
}

export function oneOf<const T extends string>(...values: readonly T[]): Column<T> {
  return (value, name) => values.find((each) => each === value) ?? refuse(name);
}

/** Text that contains JSON of this schema. */
export function json<T>(schema: z.ZodMiniType<T>): Column<T> {
  return (value, name) => schema.parse(JSON.parse(text(value, name)));
}

/** A reader of these columns; others that a statement selects are ignored. */
export function reader<C extends Columns>(columns: C): Reader<{ readonly [K in keyof C]: ReturnType<C[K]> }> {
  const entries = Object.entries(columns);
  return (from) => {
    const read: Record<string, unknown> = {};
    for (const [name, column] of entries) read[name] = column(from[name], name);
    return read as { readonly [K in keyof C]: ReturnType<C[K]> };
  };
}

function refuse(name: string): never {
  throw new Error(`The database holds something else than expected in ${name}.`);
}
