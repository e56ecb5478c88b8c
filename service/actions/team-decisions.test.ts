import { describe, expect, test } from "vitest";
import { DeskQueuePage } from "../../shared/desk.ts";
import { createScriptedAgent } from "../testing/agents.ts";
import { openStage } from "../testing/authorisation-stage.ts";
import { shopOf } from "../tools/testing/shop-entry.ts";
import { openTestToolbox, startFakeMcp } from "../tools/testing/test-toolbox.ts";
import { answerTo, REFUND, stateOf } from "./testing/asked-action.ts";

describe("an action that the team decides about", () => {
  async function openDesk() {
    const fake = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake, "person")]);
    const agent = createScriptedAgent(async function* () {
      yield REFUND;
    });
    const stage = await openStage({ service: { agents: [agent], toolbox } });
    const one = await stage.addWorkspace("one");
    const two = await stage.addWorkspace("two");
    const ann = await one.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Refund");
    await expect.poll(async () => (await stateOf(ann, id)).actions, { timeout: 30_000 }).toHaveLength(1);
    const { actionId } = await stateOf(ann, id);
    const answerAs = (headers: Record<string, string>, approved = true) =>
      stage.request(`/desk/api/conversations/${id}/actions`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ actionId, approved }),
      });
    return { stage, one, two, fake, ann, id, actionId, answerAs };
  }

  test("a person of the team allows it; neither the customer nor another team can", async () => {
    const { stage, one, two, fake, ann, id, actionId, answerAs } = await openDesk();
    try {
      expect((await answerTo(ann, id, actionId)).status).toBe(404);
      const foreign = await two.person("sam@other.example", "admin");
      expect((await answerAs(foreign.headers)).status).toBe(404);
      expect((await answerAs({ origin: "http://stage" })).status).toBe(401);
      const mia = await one.person("mia@shop.example", "agent");
      const { "x-parley-csrf": _, ...withoutCsrf } = mia.headers;
      expect((await answerAs(withoutCsrf)).status).toBe(403);
      expect(fake.calls).toEqual([]);
      expect(await (await answerAs(mia.headers)).json()).toEqual({
        action: { id: actionId, approved: true },
      });
      await expect
        .poll(async () => (await stateOf(ann, id)).actions[0]?.result?.status, { timeout: 30_000 })
        .toBe("completed");
      expect((await answerAs(mia.headers)).status).toBe(200);
      const tom = await one.person("tom@shop.example", "agent");
      expect((await answerAs(tom.headers)).status).toBe(200);
      expect(fake.calls).toHaveLength(1);
      const audit = await stage.store.deskPeople.readAudit(one.id, undefined, 100);
      const allowed = audit.filter(({ action }) => action === "conversation.action_allowed");
      // A later press of the button allows nothing.
      expect(allowed.map(({ by }) => by?.id)).toEqual([mia.id]);
    } finally {
      await stage.close();
    }
  });

  test("DESK4 an answer that was let in allows nothing once its person is disabled", async () => {
    const { stage, one, fake, ann, id, answerAs } = await openDesk();
    try {
      const by = (await one.person("ada@shop.example", "admin")).id;
      const mia = await one.person("mia@shop.example", "agent");
      const answered = answerAs(mia.headers);
      await stage.store.deskPeople.disable({ workspaceId: one.id, userId: mia.id, by });
      expect((await answered).status).toBe(401);
      expect((await stateOf(ann, id)).actions).toMatchObject([{ name: expect.any(String) }]);
      expect((await stateOf(ann, id)).actions[0]).not.toHaveProperty("approved");
      expect(fake.calls).toEqual([]);
    } finally {
      await stage.close();
    }
  });

  test("DESK22 the desk's list has it until somebody decided, however many conversations are newer, and no other team's", async () => {
    const { stage, one, two, ann, id, answerAs } = await openDesk();
    const listed = async (headers: Record<string, string>) => {
      const page = await stage.request("/desk/api/conversations", { headers });
      return DeskQueuePage.parse(await page.json());
    };
    try {
      const { actions } = await stateOf(ann, id);
      const mia = await one.person("mia@shop.example", "agent");
      const foreign = await two.person("sam@other.example", "admin");
      const { id: customerId } = await stage.store.customers.upsert(one.id, { externalId: "bob" });
      const route = { channel: "web", agentProvider: "knowledge" };
      for (let count = 0; count < 100; count += 1) {
        stage.clock.advance(10);
        const start = { subject: undefined, route, locale: undefined };
        await stage.store.conversations.start({ workspaceId: one.id, customerId }, start, undefined);
      }
      const { conversations, next } = await listed(mia.headers);
      expect(conversations).toHaveLength(101);
      expect(conversations.filter(({ decision }) => decision)).toMatchObject([
        { id, state: "agent", decision: { seq: actions[0]?.seq, since: actions[0]?.at } },
      ]);
      expect(next).toMatchObject([{ state: "agent", after: expect.not.stringContaining(id) }]);
      expect((await listed(foreign.headers)).conversations).toEqual([]);
      expect((await answerAs(mia.headers, false)).status).toBe(200);
      expect((await listed(mia.headers)).conversations.filter(({ decision }) => decision)).toEqual([]);
    } finally {
      await stage.close();
    }
  });
});
