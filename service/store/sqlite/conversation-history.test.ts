import { expect, test } from "vitest";
import { newDatabasePath } from "../../testing/test-store.ts";
import { NEWEST, ownConversations } from "./conversation-history.ts";
import { openDatabase } from "./database.ts";

test("a customer's list is read from an index in its own order, without sorting and without other customers' rows", () => {
  const database = openDatabase(newDatabasePath(), 0);
  const { text, values } = ownConversations({ workspaceId: "w", customerId: "c" }, NEWEST, 20);
  const planOf = () =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(...values)
      .map(({ detail }) => detail);
  expect(planOf()).toEqual([
    "SEARCH conversations USING INDEX conversations_of_customer (customer_id=? AND (started_at,id)<(?,?))",
  ]);
  database.exec("DROP INDEX conversations_of_customer");
  expect(planOf().join(), "control").toMatch(/USE TEMP B-TREE/);
  database.close();
});
