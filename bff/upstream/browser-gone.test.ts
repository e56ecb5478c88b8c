import { describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import { createTestBff, ORIGIN } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";
import { createFetchTransport } from "./fetch-transport.ts";
import type { UpstreamRequest } from "./transport.ts";

/** A BFF whose service leaves one operation unanswered, and what happened to its requests. */
async function open(operation: V1Id, path: string) {
  const service = createFakeService();
  const real = createFetchTransport(service);
  const requests: UpstreamRequest[] = [];
  const note = (request: UpstreamRequest) => {
    if (new RegExp(`^${path}`).test(request.path)) requests.push(request);
    return request;
  };
  const transport: typeof real = {
    ...real,
    call: (request) => real.call(note(request)),
    open: (request) => real.open(note(request)),
  };
  const clock = createTestClock();
  const bff = createTestBff({ service, transport, clock });
  const { token } = await bff.startConversation();
  requests.length = 0;
  service.answer(operation, () => new Promise<Response>(() => undefined));
  const browser = new AbortController();
  const ask = (method: string, address: string, body?: unknown) =>
    bff.bff.app.request(address, {
      method,
      signal: browser.signal,
      headers: { origin: ORIGIN, "content-type": "application/json", authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { bff, clock, requests, ask, leave: () => browser.abort() };
}

describe("a browser that leaves", () => {
  it("ends a call that only reads, and counts for nobody as a failure", async () => {
    const { bff, requests, ask, leave } = await open("messages", "/v1/support/conversations/[^/]+/messages");
    const answer = ask("POST", "/api/session", {});
    await settle();
    expect(requests[0]?.signal.aborted).toBe(false);
    leave();
    await answer;
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(bff.lines.join("\n")).not.toContain("support call failed");
    expect(await bff.bff.metrics()).not.toContain('operation="messages",outcome="support_unreachable"');
  });

  it("ends the opening of a stream", async () => {
    const { requests, ask, leave } = await open("events", "/v1/support/conversations/[^/]+/events");
    const answer = ask("GET", "/api/conversation/events");
    await settle();
    leave();
    await answer;
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  it("does not end a call that may have been accepted, because its answer is the only proof", async () => {
    const { clock, requests, ask, leave } = await open("turns", "/v1/support/conversations/[^/]+/turns");
    const answer = ask("POST", "/api/conversation/messages", { clientMessageId: "k2", body: "x" });
    await settle();
    leave();
    await settle();
    expect(requests[0]?.signal.aborted).toBe(false);
    await clock.advance(8000);
    expect((await answer).status).toBe(504);
  });
});

describe("the total time", () => {
  it("a service that is slow at every step is given up before the browser gives up", async () => {
    const service = createFakeService();
    const clock = createTestClock();
    const bff = createTestBff({ service, clock });
    for (const id of ["identify", "sessions", "capabilities", "supportSelection"] as const) {
      const right = createFakeService();
      service.answer(id, async (seen) => {
        await new Promise<void>((resolve) => void clock.after(4000, resolve));
        return right.fetch(
          new Request(`http://service${seen.path}`, {
            method: seen.method,
            headers: seen.headers,
            ...(seen.body === undefined ? {} : { body: JSON.stringify(seen.body) }),
          }),
        );
      });
    }
    const startedAt = clock.now();
    let status: number | undefined;
    const answer = bff.post("/api/session", {}).then((given) => {
      status = given.status;
      return clock.now() - startedAt;
    });
    for (let second = 0; second < 20 && status === undefined; second += 1) await clock.advance(500);
    expect(await answer).toBeLessThanOrEqual(10_000);
    expect(status).toBe(504);
  });
});
