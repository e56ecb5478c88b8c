import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { storageFailure } from "./storage-failure.ts";

/**
 * Prepared statements of one connection: values go in as parameters, never into the text.
 * Each door: @throws Failure `storage_full`, `unavailable`, and whatever else SQLite says as it is
 */
export interface Sql {
  /** The first row, or undefined. `Row` is what the statement selects. */
  one<Row>(text: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(text: string, ...values: SQLInputValue[]): Row[];
  /** How many rows it changed. */
  run(text: string, ...values: SQLInputValue[]): number;
}

/** Each text is prepared once and kept: the program has a fixed number of them. */
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
  return {
    // STRICT tables give the column types that the row types name, so the casts hold by schema.
    one: <Row>(text: string, ...values: SQLInputValue[]) =>
      attempt(text, (statement) => statement.get(...values) as Row | undefined),
    all: <Row>(text: string, ...values: SQLInputValue[]) =>
      attempt(text, (statement) => statement.all(...values) as Row[]),
    run: (text, ...values) => attempt(text, (statement) => Number(statement.run(...values).changes)),
  };
}
