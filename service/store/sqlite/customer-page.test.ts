import { expect, test } from "vitest";
import { newDatabasePath } from "../../testing/test-store.ts";
import { readCustomerPage } from "./customer-page.ts";
import { openDatabase } from "./database.ts";
import type { Query } from "./query.ts";
import { createSql, type Sql } from "./sql.ts";

test("an erased customer is found by an index of the erased ones, without the rest of the audit log", () => {
  const database = openDatabase(newDatabasePath(), 0);
  const sql = createSql(database);
  const queries: Query[] = [];
  const one: Sql["one"] = (reader, query) => {
    queries.push(query);
    return sql.one(reader, query);
  };
  readCustomerPage({ ...sql, one }, { workspaceId: "w", customerId: "c" }, undefined, 3);
  const last = queries.at(-1);
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${last?.text}`).all(...(last?.values ?? []));
  expect(plan.map(({ detail }) => detail)).toEqual([
    "SEARCH audit_log USING INDEX audit_log_of_erased_customers (target=?)",
  ]);
  database.close();
});
