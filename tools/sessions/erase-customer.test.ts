import { expect, it } from "vitest";
import { createSqliteStore } from "../../bff/store/sqlite-store.ts";
import type { Store } from "../../bff/store/store.ts";
import { eraseCustomer } from "./erase-customer.ts";

const put = (store: Store, key: string, value: object) =>
  store.write([{ key, value: JSON.stringify(value), lifeMs: 60_000 }]);

async function keysOf(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.keys("")) keys.push(key);
  return keys;
}

it("erases what a session writes until it ends", async () => {
  const store = createSqliteStore(":memory:");
  await put(store, "session:s", { facts: { customer: { externalId: "ann", identified: true } } });
  const writing: Store = {
    ...store,
    async write(changes, signal) {
      if (signal?.topic === "ended") await put(store, 'log:["ann","c-1"]', [{ body: "one more" }]);
      return store.write(changes, signal);
    },
  };
  expect(await eraseCustomer(writing, "ann")).toMatchObject({ sessions: 1, entries: 1 });
  expect(await keysOf(store)).toEqual([]);
});

it("erases a session that another version wrote", async () => {
  const store = createSqliteStore(":memory:");
  const customer = { externalId: "ann", identified: true };
  await put(store, "session:old", { facts: { customer, since: "0.0.9" }, token: "sealed otherwise" });
  expect((await eraseCustomer(store, "ann")).sessions).toBe(1);
  expect(await keysOf(store)).toEqual([]);
});
