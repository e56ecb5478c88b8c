import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";

function open() {
  const service = createFakeService();
  const clock = createTestClock();
  const bff = createTestBff({ service, clock });
  const send = (token: string, key = "k2") =>
    bff.post("/api/conversation/messages", { clientMessageId: key, body: "x" }, token);
  return { service, clock, bff, send };
}
const full = () => new Response("<h1>507</h1>", { status: 507, headers: { "retry-after": "30" } });

describe("STORE11 a service that answers 507", () => {
  it("is reported as exactly that, called once, and its requested wait is passed on", async () => {
    const { service, bff, send } = open();
    const { token } = await bff.startConversation();
    const before = service.calls("turns").length;
    service.answer("turns", full);
    const answer = await send(token);
    const problem = await answer.clone().json();
    expect(await problemOf(answer)).toBe("507 storage_full");
    expect(problem).toMatchObject({
      retryAfter: 30,
      detail: expect.stringContaining("Nothing is known to have"),
    });
    expect(service.calls("turns")).toHaveLength(before + 1);
    expect(bff.lines.join("\n")).not.toContain("session store failed");
  });

  it.each([
    ["Mon, 23 Nov 2026 10:00:20 GMT", 20],
    ["Mon, 23 Nov 2026 09:00:00 GMT", undefined],
    ["soon", undefined],
  ])("a wait until %s counts from the answer's own date, whatever our clock says", async (until, seconds) => {
    const { service, bff, send } = open();
    const { token } = await bff.startConversation();
    const headers = { date: "Mon, 23 Nov 2026 10:00:00 GMT", "retry-after": until };
    service.answer("turns", () => new Response("", { status: 507, headers }));
    const problem = (await (await send(token)).json()) as { retryAfter?: number };
    expect(problem.retryAfter).toBe(seconds);
  });

  it("counts as available: customers get the reason, and the first message is accepted once it has space", async () => {
    const { service, clock, bff, send } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", full);
    for (let n = 0; n < 8; n += 1) expect(await problemOf(await send(token))).toBe("507 storage_full");
    service.mend("turns");
    expect((await send(token)).status).toBe(201);
    service.answer("turns", () => json({}, 503));
    for (let n = 0; n < 5; n += 1) {
      const asked = send(token);
      await clock.advance(1000);
      await asked;
    }
    service.answer("turns", full);
    expect(await problemOf(await send(token)), "control: one that is away is not called").toBe(
      "503 support_unreachable",
    );
  });

  it("after an attempt whose answer was lost the message stays unconfirmed, because that attempt may have stored it", async () => {
    const { service, clock, bff, send } = open();
    const { token } = await bff.startConversation();
    let tries = 0;
    service.answer("turns", () => {
      tries += 1;
      return tries === 1 ? json({}, 502) : full();
    });
    const asked = send(token);
    await clock.advance(1000);
    expect(await problemOf(await asked)).toBe("502 not_confirmed");
    expect(tries).toBe(2);
  });

  it("a session that can't be stored there is refused", async () => {
    const { service, bff } = open();
    service.answer("sessions", full);
    expect(await problemOf(await bff.post("/api/session", {}))).toBe("507 storage_full");
  });
});
