import { expect, it } from "vitest";
import type { FeedEvent } from "../../shared/event.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { recall } from "../upstream/verified.ts";
import { createFeedSource } from "./feed-source.ts";
import { createFeeds } from "./feeds.ts";

const ENTRIES = 100;

/** Reads a log of a hundred entries; `take` gets each with what ends the stream. Returns how many turns it took. */
async function readLog(body: string, take: (event: FeedEvent, end: () => void) => void): Promise<number> {
  const clock = createTestClock();
  const feeds = createFeeds({ store: createSqliteStore(":memory:", { clock }), clock });
  const drafts = Array.from({ length: ENTRIES }, (_, at) => ({
    type: "message.created" as const,
    message: { id: `m${at}`, role: "agent" as const, body },
  }));
  await feeds.append("log", recall(undefined), drafts);
  const source = createFeedSource(feeds, "log", 0, { clock, signal: undefined });
  let turns = 0;
  let turn = setImmediate(function count() {
    turns += 1;
    turn = setImmediate(count);
  });
  await source.read((event) => take(event, () => source.close()));
  clearImmediate(turn);
  return turns;
}

it("short entries share turns of the event loop", async () => {
  let given = 0;
  const turns = await readLog("Hello", (_, end) => {
    given += 1;
    if (given === ENTRIES) end();
  });
  expect(given).toBe(ENTRIES);
  expect(turns).toBeLessThan(10);
});

it("a client that leaves while its log is sent ends the work for it", async () => {
  let given = 0;
  await readLog("x".repeat(2000), (_, end) => {
    given += 1;
    end();
  });
  expect(given).toBe(1);
});
