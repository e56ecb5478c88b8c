import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ServiceEvent } from "../../shared/event.ts";
import { createDeskBench, type DeskBench, type SignedIn } from "./testing/desk-bench.ts";

let bench: DeskBench;
let workspaceId: string;
let ada: SignedIn;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
  ada = await bench.signIn(workspaceId, "ada@shop.example");
});

afterEach(() => bench.close());

const act = (id: string, action: string, as: SignedIn, body: object = {}) =>
  bench.call("POST", `conversations/${id}/${action}`, { as, body });

describe("TYPE1 DESK2 typing at the desk", () => {
  it("TYPE1 is shown to the customer by name until the reply arrives", async () => {
    const { id } = await bench.waitingConversation(workspaceId);
    await act(id, "take", ada);
    const told: ServiceEvent[] = [];
    bench.hub.subscribe(id, ({ event }) => void told.push(event));
    const answer = await act(id, "typing", ada);
    expect([answer.status, await answer.json()]).toEqual([200, { typing: { conversationId: id } }]);
    await act(id, "messages", ada, { clientMessageId: "h1", body: "Hello" });
    bench.clock.advance(60_000);
    expect(told.map(({ type }) => type).toSorted()).toEqual([
      "message.created",
      "typing.started",
      "typing.stopped",
    ]);
    expect(told[0]).toEqual({ type: "typing.started", role: "human", name: "Ada" });
  });

  it("DESK2 is accepted only from the person who has the conversation", async () => {
    const { id } = await bench.waitingConversation(workspaceId);
    const told: ServiceEvent[] = [];
    const ben = await bench.signIn(workspaceId, "ben@shop.example");
    bench.hub.subscribe(id, ({ event }) => void told.push(event));
    expect((await act(id, "typing", ada)).status).toBe(403);
    await act(id, "take", ada);
    expect((await act(id, "typing", ben)).status).toBe(403);
    expect((await act(id, "typing", ada, { role: "agent" })).status).toBe(400);
    await act(id, "resolve", ada);
    expect((await act(id, "typing", ada)).status).toBe(409);
    expect(told.map(({ type }) => type)).not.toContain("typing.started");
  });
});
