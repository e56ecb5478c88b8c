import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { messageEvent, withEventLines } from "../testing/event-lines.ts";
import { createTestBff, problemOf, readBlocks } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";

const CUT_BYTES = 256 * 1024;
const EVENT_BYTES = 20_000;

/** A customer who may have only one stream. */
async function open() {
  const service = createFakeService();
  const lines = withEventLines(service);
  service.answer("messages", () => json({ messages: [], lastSeq: 100, epoch: "epoch-1" }));
  const env = { LIMIT_STREAMS_PER_SESSION: "1", LIMIT_STREAMS_PER_ADDRESS: "1" };
  const bff = createTestBff({ service, clock: createTestClock(), env });
  const { token, answer } = await bff.startConversation();
  const { conversation } = (await answer.json()) as { conversation: { epoch: string } };
  const follow = (seq: number) =>
    bff.request("GET", "/api/conversation/events", {
      token,
      headers: { "last-event-id": `${conversation.epoch}:${seq}` },
    });
  return { lines, follow };
}

describe("a client that does not read", () => {
  it("OPS7 is disconnected at 256 kB, its place is free at once, and it resumes after its last event", async () => {
    const { lines, follow } = await open();
    const slow = await follow(0);
    const [first] = lines;
    let sent = 0;
    while (!first?.isCancelled && sent < 100) {
      sent += 1;
      first?.send(messageEvent(sent, "x".repeat(EVENT_BYTES)));
      await settle();
    }
    expect(sent * EVENT_BYTES).toBeGreaterThan(CUT_BYTES - 2 * EVENT_BYTES);
    expect(sent * EVENT_BYTES).toBeLessThan(CUT_BYTES + 2 * EVENT_BYTES);
    await expect(slow.text()).rejects.toThrow();

    const again = await follow(2);
    expect(again.status).toBe(200);
    expect(lines[1]?.after).toBe("2");
    lines[1]?.send(messageEvent(3));
    const [block] = await readBlocks(again, 1);
    expect(block).toMatch(/^id: .*:3\n/);
  });

  it("OPS7 a client that reads gets an event that is larger than that", async () => {
    const { lines, follow } = await open();
    const reading = await follow(0);
    lines[0]?.send(messageEvent(1, "x".repeat(CUT_BYTES)));
    const [block] = await readBlocks(reading, 1);
    expect(block).toMatch(/^id: .*:1\n/);
  });

  it("an occupied place refuses the next stream (control)", async () => {
    const { follow } = await open();
    await follow(0);
    expect(await problemOf(await follow(0))).toBe("429 rate_limited");
  });
});
