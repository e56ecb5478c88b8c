import { expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { createTestBff } from "../testing/test-bff.ts";

/** A conversation of a service that takes ratings and has no events. */
async function open() {
  const service = createFakeService({ kind: "seven" });
  service.answer("capabilities", () => json({ capabilities: ["rating"] }));
  service.answer("conversations", () => json({ conversation: { id: "conv-1" } }, 201));
  service.answer("ratings", ({ body }) =>
    json({ rating: { ...(body as object), conversationId: "conv-1" } }),
  );
  const store = createSqliteStore(":memory:");
  const bff = createTestBff({ service, store });
  const { token, customer } = await bff.startSession();
  await bff.post("/api/conversation", { clientMessageId: "k1", body: "Hello" }, token);
  const rate = (score: "up" | "down") => bff.post("/api/conversation/rating", { score }, token);
  return { service, store, bff, token, customer, rate };
}

it("a rating is logged when it changes", async () => {
  const { bff, token, rate } = await open();
  for (const score of ["up", "up", "down"] as const) expect((await rate(score)).status).toBe(200);
  const state = await (await bff.post("/api/session", {}, token)).json();
  expect(state).toMatchObject({ conversation: { lastSeq: 4, rating: { score: "down" } } });
});

it.each([
  ["a changed rating", { kilobytes: 300, before: "up", score: "down" }, 200],
  ["a changed rating", { kilobytes: 600, before: "up", score: "down" }, 409],
  ["a repeated rating", { kilobytes: 600, before: "up", score: "up" }, 200],
  ["the first rating", { kilobytes: 600, before: undefined, score: "up" }, 200],
] as const)(
  "LONG3 %s in a log with %o is answered %i",
  async (_name, { kilobytes, before, score }, status) => {
    const { service, store, customer, rate } = await open();
    const at = new Date(0).toISOString();
    const message = { id: "m1", seq: 1, at, role: "customer", body: "x".repeat(kilobytes * 1024) };
    const rated = { type: "conversation.rated", seq: 2, at, rating: { score: before } };
    const log = [{ type: "message.created", seq: 1, at, message }, ...(before ? [rated] : [])];
    const key = `log:${JSON.stringify([customer.externalId, "conv-1"])}`;
    await store.write([{ key, value: JSON.stringify(log), lifeMs: 60_000 }]);
    expect((await rate(score)).status).toBe(status);
    expect(service.calls("ratings")).toHaveLength(status === 200 ? 1 : 0);
  },
);
