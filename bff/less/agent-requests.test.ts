import { describe, expect, it } from "vitest";
import { json } from "../../service/testing/fake/fake-service.ts";
import { problemOf } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";
import { createFeeds, type Feeds, nameOf } from "./feeds.ts";
import { openTurns, said } from "./testing/open-turns.ts";

describe("turns without events: what the agent requests", () => {
  it("a clarification is a message with the question and its fields", async () => {
    const { begin, line, snapshot } = await openTurns();
    await begin();
    line(0).send({
      type: "clarification.requested",
      question: "Which one?",
      fields: [{ name: "order" }, "e-mail"],
    });
    await settle();
    expect(said(await snapshot()).at(-1)).toEqual(["agent", "Which one?\n\n- order\n- e-mail"]);
  });

  it("LESS6 a suggested person is not asked for", async () => {
    const { begin, line, snapshot, service } = await openTurns();
    await begin();
    line(0).send({ type: "handoff.requested", reason: "Refunds\nneed a person", targetHint: "sales" });
    await settle();
    expect((await snapshot()).suggestion).toEqual({ reason: "Refunds need a person" });
    expect(service.calls("handoffs")).toEqual([]);
  });

  it("LESS6 an action is requested once, answered once, and counts only when the service confirmed it", async () => {
    const { begin, line, snapshot, service, bff, token } = await openTurns();
    await begin();
    const action = {
      type: "action.requested",
      actionId: "act1",
      name: "cancel_order",
      approvalRequired: true,
    };
    line(0).send(action, action, { ...action, actionId: "act2", approvalRequired: false });
    await settle();
    expect((await snapshot()).actions).toMatchObject([{ actionId: "act1", name: "cancel_order" }]);
    const allow = (actionId: string, approved = true) =>
      bff.post("/api/conversation/actions", { actionId, approved }, token);

    service.answer("actionApprovals", () => json({ action: { id: "act1", approved: false } }));
    expect(await problemOf(await allow("act1"))).toBe("502 not_confirmed");
    expect((await snapshot()).actions?.[0]).not.toHaveProperty("approved");
    service.answer("actionApprovals", () => new Response(null, { status: 204 }));
    expect(await (await allow("act1")).json()).toEqual({ action: { actionId: "act1", approved: true } });
    expect(service.calls("actionApprovals").at(-1)?.path).toBe(
      `/v1/support/conversations/${(await snapshot()).id}/action-approvals`,
    );
    expect((await snapshot()).actions).toMatchObject([{ actionId: "act1", approved: true }]);

    expect((await allow("act1")).status).toBe(200);
    expect(service.calls("actionApprovals")).toHaveLength(2);
    expect(await problemOf(await allow("act1", false))).toBe("422 key_reused");
    expect(await problemOf(await allow("act2"))).toBe("404 not_found");
  });

  it("the end of the conversation ends the answer", async () => {
    const { begin, line, bff, token, snapshot } = await openTurns();
    await begin();
    expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    expect(line(0).isCancelled).toBe(true);
    const { lastSeq, messages } = await snapshot();
    expect([lastSeq, messages.length]).toEqual([4, 2]);
  });

  it("a shutdown stores the text so far as incomplete", async () => {
    let feeds: Feeds | undefined;
    const { begin, line, bff, customer, service } = await openTurns((store) => {
      feeds = createFeeds({ store, clock: createTestClock() });
      return { ...store, close: () => Promise.resolve() };
    });
    await begin();
    await bff.bff.close();
    expect(line(0).isCancelled).toBe(true);
    const [conversationId = ""] = service.conversations.keys();
    const last = (await feeds?.read(nameOf(customer, conversationId)))?.at(-1);
    expect(last).toMatchObject({ type: "message.created", message: { body: "It ", incomplete: true } });
  });
});
