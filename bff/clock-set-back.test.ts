import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../service/testing/fake/fake-service.ts";
import { createLocks } from "./store/locks.ts";
import { createSqliteStore } from "./store/sqlite-store.ts";
import { withEventLines } from "./testing/event-lines.ts";
import { createTestBff, problemOf } from "./testing/test-bff.ts";
import { createTestClock, settle } from "./testing/test-clock.ts";
import { delta, withTurnLines } from "./testing/turn-lines.ts";

const TWO_HOURS_MS = 2 * 60 * 60_000;

function open() {
  const service = createFakeService();
  const clock = createTestClock();
  return { service, clock, bff: createTestBff({ service, clock }) };
}

describe("after the machine's clock was set back by two hours", () => {
  it("a service that was away is called again", async () => {
    const { service, clock, bff } = open();
    const { token } = await bff.startConversation();
    const send = async (key: string) => {
      const sent = bff.post("/api/conversation/messages", { clientMessageId: key, body: "x" }, token);
      await clock.advance(1000);
      return sent;
    };
    service.answer("turns", () => json({}, 503));
    for (let n = 0; n < 5; n += 1) await send("k2");
    service.mend("turns");
    expect(await problemOf(await send("k2")), "control: it is not called yet").toBe(
      "503 support_unreachable",
    );
    await clock.skip(-TWO_HOURS_MS);
    expect((await send("k2")).status).toBe(201);
  });

  it("a limit that was reached takes uses again", async () => {
    const { clock, bff } = open();
    const { token } = await bff.startConversation();
    const send = (key: string) =>
      bff.post("/api/conversation/messages", { clientMessageId: key, body: "x" }, token);
    let count = 0;
    while ((await send(`k${count}`)).status === 201) count += 1;
    expect(count).toBeGreaterThan(1);
    await clock.skip(-TWO_HOURS_MS);
    expect((await send("again")).status).toBe(201);
  });

  it("a silent connection of the service is still opened again within a minute", async () => {
    const { service, clock, bff } = open();
    const lines = withEventLines(service);
    const { token } = await bff.startConversation();
    await bff.request("GET", "/api/conversation/events", { token });
    await clock.skip(-TWO_HOURS_MS);
    await clock.advance(60_000);
    expect(lines).toHaveLength(2);
  });

  it("a message that waits for another process is refused within 8 seconds", async () => {
    const clock = createTestClock();
    const service = createFakeService({ kind: "turns" });
    const lines = withTurnLines(service);
    const store = { ...createSqliteStore(":memory:", { clock }), isShared: true };
    const [one, other] = [createTestBff({ service, clock, store }), createTestBff({ service, clock, store })];
    const { token } = await one.startSession();
    const first = one.post("/api/conversation", { clientMessageId: "k1", body: "x" }, token);
    await settle();
    lines[0]?.send(delta("It is"));
    expect((await first).status).toBe(201);
    const second = other.post("/api/conversation/messages", { clientMessageId: "k2", body: "y" }, token);
    await clock.advance(1000);
    await clock.skip(-TWO_HOURS_MS);
    await clock.advance(8000);
    expect(
      await problemOf(await Promise.race([second, Promise.resolve(new Response("still waiting"))])),
    ).toBe("409 in_flight");
  });

  it("a name that another process holds is given up within the wait", async () => {
    const clock = createTestClock();
    const locks = createLocks(createSqliteStore(":memory:", { clock }), clock);
    await locks.lease("a", 0);
    const second = locks.lease("a", 8000);
    await clock.advance(1000);
    await clock.skip(-TWO_HOURS_MS);
    await clock.advance(8000);
    expect(await Promise.race([second, Promise.resolve("still waiting")])).toBeUndefined();
  });

  it("/readyz asks the service again", async () => {
    const { service, clock, bff } = open();
    service.answer("identify", () => json({}, 401));
    await bff.post("/api/session", {});
    const ready = async () => (await bff.request("GET", "/readyz")).status;
    expect(await ready()).toBe(503);
    await clock.skip(-TWO_HOURS_MS);
    expect(await ready()).toBe(200);
  });
});
