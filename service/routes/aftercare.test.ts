import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { filesOf } from "../store/sqlite/database-files.ts";
import { type ReadEvent, readEventStream } from "../testing/event-reader.ts";
import { png } from "../testing/files.ts";
import { openTestService } from "../testing/test-service.ts";

const MARIA = { id: "user_maria", name: "Maria" };

async function openTalk() {
  const t = await openTestService();
  const customer = await t.customer("ann");
  const id = await customer.start();
  const path = `/v1/support/conversations/${id}`;
  await customer.say(id, "canary words");
  return { t, customer, id, path };
}

describe("what a customer does with a conversation of their own", () => {
  test("RATE1 a rating counts once, may change, also after the end, and appears in log and transcript", async () => {
    const { t, customer, id, path } = await openTalk();
    const rate = async (body: unknown) => (await customer.post(`${path}/rating`, body)).json();
    expect(await rate({ score: "up" })).toEqual({ rating: { score: "up", conversationId: id } });
    await rate({ score: "up" });
    await customer.delete(path);
    await rate({ score: "down", comment: "Too slow" });
    const { events } = await t.store.conversations.readEvents(await ownerOf(t, "ann"), id, 0, 100);
    expect(events.filter(({ type }) => type === "conversation.rated")).toHaveLength(2);
    expect((await customer.transcript(id)).conversation).toMatchObject({
      status: "ended",
      rating: { score: "down", comment: "Too slow" },
    });
    expect((await customer.post(`${path}/rating`, { score: "middling" })).status).toBe(400);
  });

  test("SEEN1 a read position only moves forward, and reaches current and later subscribers", async () => {
    const { t, customer, id, path } = await openTalk();
    const read = async (seq: number) =>
      (await (await customer.post(`${path}/read`, { seq })).json()).read.seq;
    expect(await read(1)).toBe(1);
    const last = (await customer.transcript(id)).lastSeq;
    expect((await customer.post(`${path}/read`, { seq: last + 1 })).status).toBe(400);
    expect(await read(last)).toBe(last);
    expect(await read(1)).toBe(last);
    await customer.post("/v1/support/handoffs", { conversationId: id });
    const target = { workspaceId: t.workspace.id, conversationId: id };
    await t.store.desk.acceptHandoff(target, MARIA);
    await t.store.desk.markReadByHuman(target, MARIA, 2);
    expect((await customer.transcript(id)).conversation?.read).toEqual({ customer: last, human: 2 });
    const line = await customer.get(`${path}/events`);
    const isHumans = ({ event }: ReadEvent) => event.type === "conversation.read" && event.by === "human";
    const reader = readEventStream(line);
    const seen = await reader.until((read) => read.some(isHumans));
    await reader.leave();
    expect(seen.at(-1)?.event).toEqual({ type: "conversation.read", by: "human", upTo: 2 });
  });

  test("ERASE1 erasing removes messages and files for good, ends the streams, and is idempotent", async () => {
    const { t, customer, id, path } = await openTalk();
    const file = await customer.upload(id, png());
    const line = await customer.get(`${path}/events`);
    const told = readEventStream(line).toEnd();
    for (const _ of [1, 2]) {
      const answer = await customer.delete(`${path}/content`);
      expect([answer.status, await answer.json()]).toEqual([200, { erased: { conversationId: id } }]);
    }
    expect((await told).at(-1)?.event).toEqual({ type: "conversation.erased" });
    expect(existsSync(filesOf(t.path)) ? readdirSync(filesOf(t.path)) : []).toEqual([]);
    for (const gone of ["/messages", "/events", `/attachments/${file.id}`]) {
      expect((await customer.get(path + gone)).status).toBe(404);
    }
    expect((await customer.post(`${path}/rating`, { score: "up" })).status).toBe(404);
    // A call by another customer erases nothing, and reveals nothing.
    expect((await (await t.customer("bob")).delete(`${path}/content`)).status).toBe(404);
    expect(await t.store.desk.listDeskConversations(t.workspace.id)).toEqual([]);
  });
});

async function ownerOf(t: Awaited<ReturnType<typeof openTestService>>, externalId: string) {
  const { id } = await t.store.customers.upsert(t.workspace.id, { externalId });
  return { workspaceId: t.workspace.id, customerId: id };
}
