import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Reader } from "./columns.ts";
import type { Query } from "./query.ts";
import { storageFailure } from "./storage-failure.ts";

/**
 * Prepared statements of one connection.
 * Every call: @throws Failure `storage_full`, `unavailable`; other errors of SQLite and of readers are thrown unchanged
 */
export interface Sql {
  /** The first row, or undefined. */
  one<T>(reader: Reader<T>, query: Query): T | undefined;
  all<T>(reader: Reader<T>, query: Query): T[];
  /** Whether there is a row. */
  has(query: Query): boolean;
  /** How many rows it changed. */
  run(query: Query): number;
}

/** Each text is prepared once and cached: the program has a fixed number of them. */
export function createSql(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const known = prepared.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  const attempt = <T>({ text }: Query, use: (statement: StatementSync) => T): T => {
    try {
      return use(prepare(text));
    } catch (error) {
      throw storageFailure(error);
    }
  };
  const first = (query: Query) => attempt(query, (statement) => statement.get(...query.values));
  return {
    one(reader, query) {
      const row = first(query);
      return row && reader(row);
    },
    all: (reader, query) => attempt(query, (statement) => statement.all(...query.values)).map(reader),
    has: (query) => first(query) !== undefined,
    run: (query) => attempt(query, (statement) => Number(statement.run(...query.values).changes)),
  };
}
