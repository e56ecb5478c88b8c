import { describe, expect, test } from "vitest";
import { startConversation } from "../../shared/v1/conversations.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { supportSelection } from "../../shared/v1/support-selection.ts";
import { createSilentAgent, echoAgent } from "../testing/agents.ts";
import type { TestCustomer } from "../testing/test-customer.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

const otherAgent = createSilentAgent({ id: "other" });

async function select(ann: TestCustomer, wish: object = {}) {
  const answer = await ann.post("/v1/sdk/support-selection", { userID: ann.externalId, ...wish });
  expect(answer.status).toBe(200);
  return supportSelection.answer.parse(await answer.json());
}

describe("support-selection works", () => {
  test("returns the workspace's default, with a reason and a time to live", async () => {
    const t = await openTestService();
    expect(await select(await t.customer("a"))).toEqual({
      channel: "web",
      agentProvider: "knowledge",
      humanHandoffAdapter: "desk",
      reason: "The workspace's default.",
      ttlSeconds: 300,
    });
  });

  test("honours an enabled preference and says so", async () => {
    const t = await openTestService({ agents: [echoAgent, otherAgent] });
    const route = await select(await t.customer("a"), { agentProvider: "other" });
    expect(route).toMatchObject({ agentProvider: "other", reason: "agentProvider as asked for." });
  });

  test("answers a preference that is not enabled with the default, and the reason says so", async () => {
    const t = await openTestService({ agents: [echoAgent, otherAgent] });
    const limited = await t.addWorkspace("limited", {
      agentProviders: ["knowledge"],
      humanHandoffAdapters: [],
    });
    const ann = await t.customer("a", limited);
    const route = await select(ann, { agentProvider: "other", humanHandoffAdapter: "desk" });
    expect(route.agentProvider).toBe("knowledge");
    expect(route.humanHandoffAdapter).toBeUndefined();
    expect(route.reason).toContain("agentProvider asked for is not available here");
    expect(route.reason).toContain("humanHandoffAdapter asked for is not available here");
  });

  test("skips an agent that can't answer now", async () => {
    const down = createSilentAgent({
      id: "down",
      unavailable: () => "Out of order.",
    });
    const t = await openTestService({ agents: [down, echoAgent] });
    expect((await select(await t.customer("a"))).agentProvider).toBe("knowledge");
  });

  test("provider-selection names only the agent", async () => {
    const t = await openTestService();
    const ann = await t.customer("a");
    const answer = await ann.post("/v1/sdk/provider-selection", { userID: "a", provider: "nobody" });
    const body = providerSelection.answer.parse(await answer.json());
    expect(body).toMatchObject({ provider: "knowledge", ttlSeconds: 300 });
    expect(body.reason).toContain("not available");
  });
});

describe("a conversation's route", () => {
  test("CONV1 is the session's selection and stays when another is selected", async () => {
    const t = await openTestService({ agents: [echoAgent, otherAgent] });
    const ann = await t.customer("a");
    await select(ann, { agentProvider: "other" });
    const answer = await ann.post("/v1/support/conversations", { providerId: "knowledge" });
    const { conversation } = await answer.json();
    expect(startConversation.answer.parse({ conversation })).toBeDefined();
    expect(conversation.route).toMatchObject({ agentProvider: "other" });
    await select(ann, { agentProvider: "knowledge" });
    const seen = await t.store.desk.readDeskConversation({
      workspaceId: t.workspace.id,
      conversationId: conversation.id,
    });
    expect(seen?.route.agentProvider).toBe("other");
  });

  test("is the customer's last selection when the session's token was renewed", async () => {
    const t = await openTestService({ agents: [echoAgent, otherAgent] });
    await select(await t.customer("a"), { agentProvider: "other" });
    const { conversation } = await (
      await (await t.customer("a")).post("/v1/support/conversations", {})
    ).json();
    expect(conversation.route.agentProvider).toBe("other");
  });

  test("is the default without a selection", async () => {
    const t = await openTestService({ agents: [echoAgent, otherAgent] });
    const { conversation } = await (
      await (await t.customer("a")).post("/v1/support/conversations", {})
    ).json();
    expect(conversation.route.agentProvider).toBe("knowledge");
  });
});

describe("selections refuse", () => {
  test("a workspace without an agent: unavailable, not a made-up route", async () => {
    const t = await openTestService();
    const empty = await t.addWorkspace("empty", { agentProviders: [] });
    const ann = await t.customer("a", empty);
    const answer = await ann.post("/v1/sdk/support-selection", { userID: "a" });
    expect((await problemOf(answer)).code).toBe("unavailable");
  });

  test("a userID of another customer has no authority", async () => {
    const t = await openTestService({ agents: [echoAgent, otherAgent] });
    const ann = await t.customer("a");
    const bob = await t.customer("b");
    await ann.post("/v1/sdk/support-selection", { userID: "b", agentProvider: "other" });
    const { conversation } = await (await bob.post("/v1/support/conversations", {})).json();
    expect(conversation.route.agentProvider).toBe("knowledge");
  });
});
