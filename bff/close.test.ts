import { describe, expect, it, vi } from "vitest";
import { createFakeService } from "../service/testing/fake/fake-service.ts";
import { Failure } from "../shared/errors.ts";
import { createSqliteStore } from "./store/sqlite-store.ts";
import { createTestBff, problemOf } from "./testing/test-bff.ts";
import { createTestClock } from "./testing/test-clock.ts";
import { createFetchTransport } from "./upstream/fetch-transport.ts";

describe("OPS10 closing", () => {
  it("closes the connections and the store even if the store refuses the last write", async () => {
    const clock = createTestClock();
    const store = createSqliteStore(":memory:", { clock });
    const service = createFakeService();
    const transport = createFetchTransport(service);
    const closed = [vi.spyOn(transport, "close"), vi.spyOn(store, "close")];
    const test = createTestBff({ service, store, transport, clock });
    const { token } = await test.startSession();
    await clock.advance(1);
    await test.post("/api/session", {}, token);
    vi.spyOn(store, "write").mockRejectedValue(new Failure("unavailable"));
    await test.bff.close();
    for (const close of closed) expect(close).toHaveBeenCalledOnce();
    expect(test.lines.filter((line) => line.includes("could not be closed"))).toEqual([
      expect.stringContaining('"part":"sessions"'),
    ]);
  });

  it("refuses a new stream while it drains, and does not log that as a failed store", async () => {
    const test = createTestBff({ service: createFakeService() });
    const { token } = await test.startConversation();
    test.bff.drain();
    const answer = await test.request("GET", "/api/conversation/events", { token });
    expect(await problemOf(answer)).toBe("503 unavailable");
    expect(test.lines.join("\n")).not.toContain('"level":"error"');
  });

  it("logs a failed store (control)", async () => {
    const store = createSqliteStore(":memory:");
    const test = createTestBff({ service: createFakeService(), store });
    const { token } = await test.startConversation();
    await store.close();
    const answer = await test.request("DELETE", "/api/session", { token });
    expect(await problemOf(answer)).toBe("503 unavailable");
    expect(test.lines.join("\n")).toContain("the session store failed");
  });
});
