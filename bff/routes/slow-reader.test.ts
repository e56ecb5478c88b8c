import { createAdaptorServer } from "@hono/node-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { messageEvent, withEventLines } from "../testing/event-lines.ts";
import { createTestBff, ORIGIN, problemOf, readBlocks } from "../testing/test-bff.ts";
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
  return { lines, follow, app: bff.bff.app, token, epoch: conversation.epoch };
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

  it("OPS7 a client that reads gets an event that is larger than that, and then the next one", async () => {
    const { lines, app, token, epoch } = await open();
    // A real socket, because Node holds back what is written to one in the same turn of the event loop.
    const { url, close } = await listenOnFreePort(
      createAdaptorServer({ fetch: app.fetch, hostname: "127.0.0.1" }),
    );
    onTestFinished(close);
    const follow = (seq: number) =>
      fetch(`${url}/api/conversation/events`, {
        headers: { authorization: `Bearer ${token}`, origin: ORIGIN, "last-event-id": `${epoch}:${seq}` },
      });
    const first = await follow(0);
    lines[0]?.send(messageEvent(1, "x".repeat(CUT_BYTES)) + messageEvent(2));
    expect(await first.text()).toMatch(/^id: .*:1\n/);
    const second = await follow(1);
    lines[1]?.send(messageEvent(2));
    const [block] = await readBlocks(second, 1);
    expect(block).toMatch(/^id: .*:2\n/);
  });

  it("an occupied place refuses the next stream (control)", async () => {
    const { follow } = await open();
    await follow(0);
    expect(await problemOf(await follow(0))).toBe("429 rate_limited");
  });
});
