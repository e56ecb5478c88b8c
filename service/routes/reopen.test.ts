import { expect, test } from "vitest";
import { reopenConversation } from "../../shared/v1/conversations.ts";
import type { TestCustomer } from "../testing/test-customer.ts";
import { openTestService } from "../testing/test-service.ts";

const PATH = "/v1/support/conversations";
const reopen = (customer: TestCustomer, id: string) => customer.post(`${PATH}/${id}/reopen`, {});
const MARIA = { id: "user_1", name: "Maria" };

test("HIST4 an ended conversation is open again for its customer, once, and takes messages", async () => {
  const t = await openTestService();
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.say(id, "First");
  await t.service.settled();
  await ann.delete(`${PATH}/${id}`);
  const refused = await ann.post(`${PATH}/${id}/turns`, {
    clientMessageId: "k",
    content: { body: "Too early", format: "plain" },
  });
  expect(refused.status, "control").toBe(409);
  for (let times = 0; times < 2; times += 1) {
    const answer = await reopen(ann, id);
    expect(answer.status).toBe(200);
    expect(reopenConversation.answer.parse(await answer.json())).toEqual({
      conversation: { id, status: "open" },
    });
  }
  await ann.say(id, "Second");
  await t.service.settled();
  const { conversation, messages, marks } = await ann.transcript(id);
  expect(conversation?.status).toBe("open");
  expect(messages.map(({ role }) => role)).toEqual(["customer", "agent", "customer", "agent"]);
  expect(marks?.map(({ type }) => type)).toEqual(["conversation.ended", "conversation.reopened"]);
});

test("HIST4 a person who had it at its end has it no longer, the agent answers, and a person can be asked for again", async () => {
  const t = await openTestService();
  const ann = await t.customer("ann");
  const id = await ann.start();
  const target = { workspaceId: t.workspace.id, conversationId: id };
  await ann.post("/v1/support/handoffs", { conversationId: id });
  await t.store.desk.acceptHandoff(target, MARIA);
  await t.store.desk.resolveConversation(target, MARIA);
  await reopen(ann, id);
  await ann.say(id, "Are you there?");
  await t.service.settled();
  const { conversation, messages, marks } = await ann.transcript(id);
  expect(conversation?.handoff).toMatchObject({ status: "returned" });
  expect(messages.at(-1)?.role).toBe("agent");
  expect(marks?.map(({ type }) => type)).toEqual([
    "handoff.requested",
    "handoff.accepted",
    "conversation.ended",
    "conversation.reopened",
    "handoff.returned",
  ]);
  await expect(
    t.store.desk.replyAsHuman(target, MARIA, { clientMessageId: "k", body: "Still mine" }),
  ).rejects.toMatchObject({ code: "forbidden" });
  expect((await ann.post("/v1/support/handoffs", { conversationId: id })).status).toBe(201);
  expect((await t.store.desk.acceptHandoff(target, MARIA)).taken).toBe(true);
});

test("HIST2 nobody else opens it, by id or without a session, and an erased one is gone", async () => {
  const t = await openTestService();
  const [ann, bob] = [await t.customer("ann"), await t.customer("bob")];
  const id = await ann.start();
  await ann.delete(`${PATH}/${id}`);
  expect((await reopen(bob, id)).status).toBe(404);
  expect((await t.request(`${PATH}/${id}/reopen`, { method: "POST" })).status).toBe(401);
  expect((await ann.transcript(id)).conversation?.status).toBe("ended");
  expect((await reopen(ann, id)).status, "control").toBe(200);
  await ann.delete(`${PATH}/${id}/content`);
  expect((await reopen(ann, id)).status).toBe(404);
});
