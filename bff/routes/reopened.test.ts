import { describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import type { SessionState } from "../../shared/api/session.ts";
import { createTestBff, readBlocks } from "../testing/test-bff.ts";

/** A customer whose conversation Maya has taken. */
async function openTaken() {
  const service = createFakeService();
  const bff = createTestBff({ service });
  const { token, id } = await bff.startConversation();
  expect((await bff.post("/api/conversation/handoff", {}, token)).status).toBe(201);
  await service.acceptHandoff(id, "Maya");
  const state = async () =>
    ((await (await bff.post("/api/session", {}, token)).json()) as SessionState).conversation;
  const say = (body: string) =>
    bff.post(
      "/api/conversation/messages",
      { clientMessageId: `k-${body.replaceAll(" ", "-")}`, body },
      token,
    );
  const writtenIn = (conversation: string) =>
    service
      .logOf(conversation)
      .flatMap((event) => (event.type === "message.created" ? [event.message.body] : []));
  return { service, bff, token, id, state, say, writtenIn };
}

describe("DESK15 a conversation that a person opened again", () => {
  it("is the customer's again at their next visit, with the person in it, and takes their next message", async () => {
    const { service, id, state, say, writtenIn } = await openTaken();
    await service.resolve(id, "Maya");
    expect((await state())?.status).toBe("ended");
    await service.reopenAsHuman(id, "Maya");
    expect(await state()).toMatchObject({ id, status: "open", handoff: { human: { name: "Maya" } } });
    expect((await say("one more thing")).status).toBe(201);
    expect(writtenIn(id)).toContain("one more thing");
  });

  it("an ended one stays ended where a read that began before the end answers after it", async () => {
    const { service, bff, token, state, say } = await openTaken();
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    service.answer("messages", async (_, real) => {
      const answer = await real();
      begun.resolve();
      await held.promise;
      return answer;
    });
    const reading = state();
    await begun.promise;
    expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    held.resolve();
    await reading;
    const { length } = service.calls("turns");
    expect((await say("one more thing")).status).toBe(409);
    expect(service.calls("turns")).toHaveLength(length);
  });

  it("is open as soon as its stream says so, and a later end ends it", async () => {
    const { service, bff, token, id, say, writtenIn } = await openTaken();
    const stream = await bff.request("GET", "/api/conversation/events", { token });
    await service.resolve(id, "Maya");
    await service.reopenAsHuman(id, "Maya");
    const reopened = /conversation\.ended.*conversation\.reopened.*"by":"human".*handoff\.accepted/s;
    const begun = service.logOf(id).length;
    expect((await readBlocks(stream, begun)).join()).toMatch(reopened);
    await expect.poll(async () => (await say("one more thing")).status).toBe(201);
    expect(writtenIn(id)).toContain("one more thing");
    await service.resolve(id, "Maya");
    await readBlocks(stream, 2);
    await stream.body?.cancel();
    const next = { clientMessageId: "k-another-day", body: "another day" };
    expect((await bff.post("/api/conversation", next, token)).status).toBe(201);
    expect(writtenIn(id)).not.toContain("another day");
  });
});
