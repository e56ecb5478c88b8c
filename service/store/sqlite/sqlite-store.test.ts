import { onTestFinished } from "vitest";
import { systemRandom } from "../../../shared/server/random.ts";
import type { Published } from "../../live/hub.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { newDatabasePath } from "../../testing/test-store.ts";
import { describeStore } from "../testing/store-suite.ts";
import { openSqliteStore } from "./sqlite-store.ts";

describeStore("SQLite", async () => {
  const published: Published[] = [];
  const clock = createManualClock();
  const store = openSqliteStore({
    path: newDatabasePath(),
    clock,
    random: systemRandom,
    publish: (entry) => void published.push(entry),
  });
  onTestFinished(() => store.close());
  return { store, clock, published };
});
