import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** Prepared statements of one connection: values go in as parameters, never into the text (R36). */
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
  return {
    // STRICT tables give the column types that the row types name, so the casts hold by schema.
    one: <Row>(text: string, ...values: SQLInputValue[]) => prepare(text).get(...values) as Row | undefined,
    all: <Row>(text: string, ...values: SQLInputValue[]) => prepare(text).all(...values) as Row[],
    run: (text, ...values) => Number(prepare(text).run(...values).changes),
  };
}
