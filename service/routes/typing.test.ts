import { describe, expect, test } from "vitest";
import type { Published } from "../live/hub.ts";
import { readEventStream } from "../testing/event-reader.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

async function openTalk() {
  const t = await openTestService();
  const desk: Published[] = [];
  t.hub.subscribeWorkspace(t.workspace.id, (published) => void desk.push(published));
  const customer = await t.customer("ann");
  const id = await customer.start();
  return { t, customer, id, desk, path: `/v1/support/conversations/${id}` };
}

describe("TYPE1 a customer who is writing", () => {
  test("reaches current subscribers, is stored nowhere, and reaches no later subscriber", async () => {
    const { customer, id, desk, path } = await openTalk();
    const before = await customer.transcript(id);
    const reader = readEventStream(await customer.get(`${path}/events`));
    await reader.until((read) => read.some(({ event }) => event.type === "conversation.started"));
    const answer = await customer.post(`${path}/typing`, {});
    expect([answer.status, await answer.json()]).toEqual([200, { typing: { conversationId: id } }]);
    const started = { type: "typing.started", role: "customer" };
    expect(desk).toContainEqual(expect.objectContaining({ conversationId: id, event: started }));
    const seen = await reader.until((read) => read.some(({ event }) => event.type === "typing.started"));
    expect(seen.at(-1)).toEqual({ id: undefined, event: started });
    expect(await customer.transcript(id)).toEqual(before);
    const later = readEventStream(await customer.get(`${path}/events`));
    await customer.delete(path);
    const types = (
      await later.until((read) => read.some(({ event }) => event.type === "conversation.ended"))
    ).map(({ event }) => event.type);
    expect(types).not.toContain("typing.started");
    await Promise.all([reader.leave(), later.leave()]);
  });

  test("is refused where nothing can be written any more, and in another customer's conversation", async () => {
    const { t, customer, desk, path } = await openTalk();
    const bob = await t.customer("bob");
    expect((await bob.post(`${path}/typing`, {})).status).toBe(404);
    await customer.delete(path);
    expect(await problemOf(await customer.post(`${path}/typing`, {}))).toMatchObject({
      code: "conversation_ended",
    });
    expect(desk.map(({ event }) => event.type)).not.toContain("typing.started");
  });
});
