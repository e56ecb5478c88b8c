import { expect, it } from "vitest";
import * as z from "zod/mini";
import { createTestClock } from "../testing/test-clock.ts";
import { createRecords } from "./records.ts";
import { createSqliteStore } from "./sqlite-store.ts";
import type { Change } from "./store.ts";

it("remembers which records it extended, up to ten thousand: those that were read longest ago are extended again", async () => {
  const clock = createTestClock();
  const written: string[] = [];
  const store = {
    ...createSqliteStore(":memory:", { clock }),
    get: () => '"value"',
    write: (changes: readonly Change[]) => {
      written.push(...changes.map(({ key }) => key));
      return Promise.resolve(true);
    },
  };
  const records = createRecords<string>({
    store,
    clock,
    prefix: "",
    schema: z.string(),
    lifeOf: () => 1000,
    cachedCharacters: 10_000,
    livesByReading: () => true,
  });
  const names = Array.from({ length: 10_000 }, (_, n) => `${n}`);
  for (const name of names) await records.find(name);
  expect(written).toEqual(names);
  await records.find("0");
  expect(written, "control: ten thousand are remembered").toHaveLength(10_000);
  await records.find("new");
  await records.find("0");
  await records.find("1");
  expect(written.slice(10_000)).toEqual(["new", "1"]);
});
