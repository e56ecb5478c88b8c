import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Reader } from "./columns.ts";
import { storageFailure } from "./storage-failure.ts";

/**
 * Prepared statements of one connection: values go in as parameters, never into the text.
 * Every call: @throws Failure `storage_full`, `unavailable`; other errors of SQLite, and of a reader, as they are
 */
export interface Sql {
  /** The first row, or undefined. */
  one<T>(reader: Reader<T>, text: string, ...values: SQLInputValue[]): T | undefined;
  all<T>(reader: Reader<T>, text: string, ...values: SQLInputValue[]): T[];
  /** Whether there is a row. */
  has(text: string, ...values: SQLInputValue[]): boolean;
  /** How many rows it changed. */
  run(text: string, ...values: SQLInputValue[]): number;
}

/** Each text is prepared once and stays: the program has a fixed number of them. */
export function createSql(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const known = prepared.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  const attempt = <T>(text: string, use: (statement: StatementSync) => T): T => {
    try {
      return use(prepare(text));
    } catch (error) {
      throw storageFailure(error);
    }
  };
  const first = (text: string, values: SQLInputValue[]) =>
    attempt(text, (statement) => statement.get(...values));
  return {
    one(reader, text, ...values) {
      const row = first(text, values);
      return row && reader(row);
    },
    all: (reader, text, ...values) => attempt(text, (statement) => statement.all(...values)).map(reader),
    has: (text, ...values) => first(text, values) !== undefined,
    run: (text, ...values) => attempt(text, (statement) => Number(statement.run(...values).changes)),
  };
}
