import { describe, expect, test } from "vitest";
import { openTestService } from "../../testing/test-service.ts";

const MARIA = { id: "user_maria", name: "Maria" };
const NOOR = { id: "user_noor", name: "Noor" };

async function openTaken() {
  const t = await openTestService();
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.post("/v1/support/handoffs", { conversationId: id });
  const target = { workspaceId: t.workspace.id, conversationId: id };
  return { t, ann, id, target, desk: t.store.desk };
}

describe("what people do", () => {
  test("one takes it, another is told who has it", async () => {
    const { desk, target } = await openTaken();
    const first = await desk.acceptHandoff(target, MARIA);
    expect(first).toMatchObject({ taken: true, handoff: { status: "accepted", human: { name: "Maria" } } });
    expect(await desk.acceptHandoff(target, MARIA)).toEqual(first);
    expect(await desk.acceptHandoff(target, NOOR)).toEqual({ taken: false, by: MARIA });
  });

  test("of two who take it at once, one has it", async () => {
    const { desk, target, ann, id } = await openTaken();
    const taken = await Promise.all([desk.acceptHandoff(target, MARIA), desk.acceptHandoff(target, NOOR)]);
    expect(taken.filter((one) => one.taken)).toHaveLength(1);
    expect((await ann.transcript(id)).lastSeq).toBe(3);
  });

  test("a reply that is sent again is one message; another text is refused", async () => {
    const { desk, target, ann, id } = await openTaken();
    await desk.acceptHandoff(target, MARIA);
    const reply = { clientMessageId: "r1", body: "Hello Ann" };
    const first = await desk.replyAsHuman(target, MARIA, reply);
    expect(await desk.replyAsHuman(target, MARIA, reply)).toEqual(first);
    await expect(desk.replyAsHuman(target, MARIA, { ...reply, body: "x" })).rejects.toMatchObject({
      code: "key_reused",
    });
    expect((await ann.transcript(id)).messages).toMatchObject([
      { role: "human", body: "Hello Ann", author: { name: "Maria" } },
    ]);
  });

  test("DESK2 only who has taken it replies, returns or resolves", async () => {
    const { desk, target } = await openTaken();
    const reply = { clientMessageId: "r1", body: "Hello" };
    await expect(desk.replyAsHuman(target, MARIA, reply)).rejects.toMatchObject({ code: "forbidden" });
    await desk.acceptHandoff(target, MARIA);
    await expect(desk.replyAsHuman(target, NOOR, reply)).rejects.toMatchObject({ code: "forbidden" });
    await expect(desk.returnToAgent(target, NOOR)).rejects.toMatchObject({ code: "forbidden" });
    await expect(desk.resolveConversation(target, NOOR)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("what nobody asked for can't be taken", async () => {
    const t = await openTestService();
    const id = await (await t.customer("ann")).start();
    const target = { workspaceId: t.workspace.id, conversationId: id };
    await expect(t.store.desk.acceptHandoff(target, MARIA)).rejects.toMatchObject({
      code: "handoff_unavailable",
    });
  });

  test("after the return a customer may ask again, and it is another handoff", async () => {
    const { desk, target, ann, id } = await openTaken();
    await desk.acceptHandoff(target, MARIA);
    const returned = await desk.returnToAgent(target, MARIA);
    expect(await desk.returnToAgent(target, MARIA)).toEqual(returned);
    const again = await (await ann.post("/v1/support/handoffs", { conversationId: id })).json();
    expect(again.handoff.id).not.toBe(returned.id);
    expect((await desk.readDeskConversation(target))?.state).toBe("waiting");
    expect((await desk.readDeskConversation(target))?.takenBy).toBeUndefined();
  });

  test("a resolved conversation has ended for the customer, by a person", async () => {
    const { desk, target, ann, id } = await openTaken();
    await desk.acceptHandoff(target, MARIA);
    const ended = await desk.resolveConversation(target, MARIA);
    expect(await desk.resolveConversation(target, MARIA)).toEqual(ended);
    expect((await ann.transcript(id)).conversation?.status).toBe("ended");
    await expect(desk.acceptHandoff(target, MARIA)).rejects.toMatchObject({ code: "conversation_ended" });
    expect((await desk.readDeskConversation(target))?.events?.at(-1)).toMatchObject({
      type: "conversation.ended",
      by: "human",
    });
  });
});

describe("the queue", () => {
  test("has who waits longest first, then taken, then with the agent, then ended", async () => {
    const t = await openTestService();
    const ids = new Map<string, string>();
    for (const name of ["agent", "ended", "late", "early", "taken"]) {
      t.clock.advance(1000);
      const customer = await t.customer(name);
      ids.set(name, await customer.start());
    }
    for (const name of ["taken", "early", "late"]) {
      t.clock.advance(1000);
      await (await t.customer(name)).post("/v1/support/handoffs", { conversationId: ids.get(name) });
    }
    const target = (name: string) => ({ workspaceId: t.workspace.id, conversationId: ids.get(name) ?? "" });
    await t.store.desk.acceptHandoff(target("taken"), MARIA);
    await t.store.desk.resolveConversation(target("ended"), MARIA);
    const queue = await t.store.desk.listDeskConversations(t.workspace.id);
    expect(queue.map(({ customer }) => customer.externalId)).toEqual([
      "early",
      "late",
      "taken",
      "agent",
      "ended",
    ]);
    expect(queue.map(({ state }) => state)).toEqual(["waiting", "waiting", "taken", "agent", "ended"]);
    expect(queue[2]?.takenBy).toEqual(MARIA);
  });

  test("shows of each what people wrote last, not the agent's answer to it", async () => {
    const { t, ann, id, target } = await openTaken();
    const preview = async () => (await t.store.desk.listDeskConversations(t.workspace.id))[0]?.preview;
    await ann.say(id, "Is anybody  there?");
    expect(await preview()).toBe("Is anybody there?");
    await t.store.desk.acceptHandoff(target, MARIA);
    await t.store.desk.replyAsHuman(target, MARIA, { clientMessageId: "r1", body: "I am here." });
    expect(await preview()).toBe("I am here.");
    await t.store.desk.returnToAgent(target, MARIA);
    const turn = { clientMessageId: "t1", content: { body: "And now?", format: "plain" } };
    const path = `/v1/support/conversations/${id}/turns`;
    await (await ann.post(path, turn, { accept: "application/x-ndjson" })).text();
    expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({ role: "agent" });
    expect(await preview()).toBe("And now?");
  });

  test("shows a workspace nothing of another", async () => {
    const { t, target, desk } = await openTaken();
    const other = await t.addWorkspace("two");
    const foreign = { ...target, workspaceId: other.id };
    expect(await desk.listDeskConversations(other.id)).toEqual([]);
    expect(await desk.readDeskSummary(foreign)).toBeUndefined();
    for (const act of [
      desk.acceptHandoff(foreign, MARIA),
      desk.replyAsHuman(foreign, MARIA, { clientMessageId: "k", body: "x" }),
      desk.returnToAgent(foreign, MARIA),
      desk.resolveConversation(foreign, MARIA),
    ]) {
      await expect(act).rejects.toMatchObject({ code: "not_found" });
    }
  });
});
