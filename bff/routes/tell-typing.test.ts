import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";

function open(capabilities?: readonly string[]) {
  const service = createFakeService();
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  const clock = createTestClock();
  const bff = createTestBff({ service, clock });
  const type = (token: string) => bff.post("/api/conversation/typing", {}, token);
  const send = (token: string, key: string) =>
    bff.post("/api/conversation/messages", { clientMessageId: key, body: "x" }, token);
  return { service, clock, bff, type, send };
}

describe("TYPE1 a customer's typing at the BFF", () => {
  it("is passed on for the session's own conversation, at most once in three seconds", async () => {
    const { service, clock, bff, type } = open();
    const { token, id } = await bff.startConversation();
    const answer = await type(token);
    expect([answer.status, await answer.json()]).toEqual([200, { typing: { conversationId: id } }]);
    expect(await problemOf(await type(token))).toBe("429 rate_limited");
    await clock.advance(3000);
    expect((await type(token)).status).toBe(200);
    expect(service.calls("typing").map(({ path, body }) => [path, body])).toEqual([
      [`/v1/support/conversations/${id}/typing`, {}],
      [`/v1/support/conversations/${id}/typing`, {}],
    ]);
  });

  it("no message waits for it, or is refused because of it, whatever happens to it", async () => {
    const { service, clock, bff, type, send } = open();
    const { token } = await bff.startConversation();
    service.answer("typing", () => new Promise<Response>(() => undefined));
    const asked = type(token);
    expect((await send(token, "k2")).status).toBe(201);
    await clock.advance(8001);
    expect(await problemOf(await asked)).toBe("504 support_timeout");
    for (let n = 0; n < 6; n += 1) {
      const again = type(token);
      await clock.advance(8001);
      expect((await again).ok).toBe(false);
    }
    expect(service.calls("typing").length, "none is repeated").toBeLessThanOrEqual(7);
    expect((await send(token, "k3")).status).toBe(201);
  });

  it("LESS1 is not offered if the service does not support it, or has no events", async () => {
    for (const capabilities of [["turns", "events", "messages"], ["turns", "typing"], ["typing"], []]) {
      const { service, bff, type } = open(capabilities);
      const { token } = await bff.startConversation();
      const state = await (await bff.post("/api/session", {}, token)).json();
      expect(state.capabilities).not.toContain("typing");
      expect((await type(token)).status).toBe(404);
      expect(service.calls("typing")).toEqual([]);
    }
  });

  it("is refused without a conversation, and with extra fields", async () => {
    const { service, bff, type } = open();
    const { token } = await bff.startSession();
    expect(await problemOf(await type(token))).toBe("409 no_conversation");
    const other = await bff.startConversation();
    const forged = await bff.post("/api/conversation/typing", { role: "human" }, other.token);
    expect(forged.status).toBe(400);
    expect(service.calls("typing")).toEqual([]);
  });
});
