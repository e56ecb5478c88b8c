import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { createKeyedHash } from "./keyed-hash.ts";
import { createSqliteStore } from "./sqlite-store.ts";

it("SHARE6 a key of a foreign type hashes nothing, is named, and is not overwritten", async () => {
  const store = createSqliteStore(":memory:");
  // As the Redis driver reads a foreign type.
  await store.write([{ key: "who-key", value: "", lifeMs: 60_000 }]);
  const hash = createKeyedHash(store, randomBytes, "who-key");
  const error = await hash("ann").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Failure);
  expect(error).toMatchObject({
    code: "unavailable",
    cause: new Error("the value under who-key is not one of ours"),
  });
  expect(await store.get("who-key")).toBe("");
});
