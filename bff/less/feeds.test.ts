import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { FeedEvent } from "../../shared/event.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { turnOf } from "../testing/turn-lines.ts";
import { type Verified, verifyTaken } from "../upstream/verified.ts";
import { createFeeds, nameOf } from "./feeds.ts";

const NO_GAP = () => undefined;
const log = nameOf("anon_a", "c1");
const started = { type: "conversation.started" } as const;
const answer = (id: string) => ({
  type: "message.created" as const,
  message: { id, role: "agent" as const, body: "Yes" },
});

function open() {
  const clock = createTestClock();
  const store = createSqliteStore(":memory:", { clock });
  const feeds = createFeeds({ store, clock });
  const proof = verifyTaken(
    { type: "response.delta", messageId: "m", delta: "x" },
    turnOf("c1", { clientMessageId: "k", body: "x" }),
  );
  if (!proof) throw new Error("no proof");
  return { feeds, clock, proof };
}

describe("a log of what was verified", () => {
  it("LESS3 refuses every entry without a proof, including forged proofs", async () => {
    const { feeds, proof } = open();
    for (const forged of [{ value: 1 }, Object.create(proof), Object.assign({}, proof), null]) {
      const appended = feeds.append(log, forged as unknown as Verified<unknown>, [started]);
      await expect(appended).rejects.toThrow(TypeError);
    }
    expect((await feeds.read(log)).length).toBe(0);
    await feeds.append(log, proof, [started]);
    expect((await feeds.read(log)).length).toBe(1);
  });

  it("LESS3 only the adapter may answer from the log instead of the service", () => {
    const root = resolve(import.meta.dirname, "..");
    const files = globSync("**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
    const recalling = files.filter((file) => /\brecall\(/.test(readFileSync(resolve(root, file), "utf8")));
    expect(recalling).toEqual(["less/whole-service.ts"]);
  });

  it("an error or a cost does not prove that a turn was accepted", () => {
    expect(verifyTaken({ type: "usage" }, turnOf("c1", { clientMessageId: "k", body: "x" }))).toBeUndefined();
    expect(
      verifyTaken(
        { type: "error", code: "x", message: "y" },
        turnOf("c1", { clientMessageId: "k", body: "x" }),
      ),
    ).toBeUndefined();
  });

  it("numbers entries without gaps while many write at once, and sends them in that order", async () => {
    const { feeds, proof } = open();
    const heard: number[] = [];
    feeds.follow(log, (event) => "seq" in event && heard.push(event.seq), NO_GAP);
    await Promise.all(Array.from({ length: 20 }, (_, at) => feeds.append(log, proof, [answer(`m${at}`)])));
    expect(heard).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it("a follower that joins during an answer gets its text so far, and nothing of a finished one", async () => {
    const { feeds, proof } = open();
    feeds.signal(log, { type: "response.snapshot", messageId: "a1", text: "It " });
    feeds.signal(log, { type: "response.delta", messageId: "a1", delta: "is" });
    const { joined, stop } = feeds.follow(log, () => undefined, NO_GAP);
    expect(joined).toEqual({ type: "response.snapshot", messageId: "a1", text: "It is" });
    stop();
    await feeds.append(log, proof, [answer("a1")]);
    expect(feeds.follow(log, () => undefined, NO_GAP).joined).toBeUndefined();
  });

  it("a follower gets nothing after it stopped, and nothing of another log", async () => {
    const { feeds, proof } = open();
    const heard: FeedEvent[] = [];
    const { stop } = feeds.follow(log, (event) => heard.push(event), NO_GAP);
    await feeds.append(nameOf("anon_b", "c1"), proof, [started]);
    stop();
    await feeds.append(log, proof, [started]);
    expect(heard).toEqual([]);
  });

  it("a log is deleted a day after its session or pointer expires at the latest", async () => {
    const { feeds, proof, clock } = open();
    const identified = nameOf("customer-1", "c1");
    await feeds.append(log, proof, [started]);
    await feeds.append(identified, proof, [started]);
    const day = 24 * 3_600_000;
    await clock.skip(7 * day);
    expect((await feeds.read(log)).length).toBe(1);
    await clock.skip(day + 1);
    expect((await feeds.read(log)).length).toBe(0);
    await clock.skip(83 * day);
    expect((await feeds.read(identified)).length).toBe(0);
  });

  it("the log of a customer who comes back and only reads lives on, as their pointer does", async () => {
    const { feeds, proof, clock } = open();
    const identified = nameOf("customer-1", "c1");
    await feeds.append(identified, proof, [started]);
    for (let month = 0; month < 4; month += 1) {
      await clock.skip(30 * 24 * 3_600_000);
      expect((await feeds.read(identified)).length).toBe(1);
      // Written before the next month passes.
      await feeds.append(nameOf("customer-1", "other"), proof, [started]);
    }
  });
});
