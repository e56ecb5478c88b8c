import type { AgentEvent } from "../../agents/agent.ts";
import { createScriptedAgent } from "../../testing/agents.ts";
import type { TestCustomer } from "../../testing/test-customer.ts";
import { openTestService, type TestService } from "../../testing/test-service.ts";
import type { DoneSign } from "../../tools/mcp-config.ts";
import type { Revision } from "../../tools/testing/fake-mcp-server.ts";
import { shopOf } from "../../tools/testing/shop-entry.ts";
import { openTestToolbox, startFakeMcp } from "../../tools/testing/test-toolbox.ts";

export const INPUT = { order: "1001", amount: 12.5 };
export const askFor = (tool: string, input: unknown): AgentEvent => ({
  type: "action.requested",
  actionId: "the agent's own",
  tool,
  input,
});
export const REFUND = askFor("shop_refund", INPUT);

/** A service whose agent asks for these actions, in front of a real server of tools. */
export async function openAction(
  options: {
    revision?: Revision;
    events?: readonly AgentEvent[];
    /** What the agent says to each later question. */
    later?: readonly AgentEvent[];
    actMs?: number;
    folder?: string;
    done?: DoneSign;
  } = {},
) {
  const fake = await startFakeMcp(options.revision);
  const { toolbox } = await openTestToolbox([shopOf(fake, "customer", options.done)], options);
  const said: AgentEvent = { type: "delta", text: "Shall I?" };
  const agent = createScriptedAgent(async function* ({ actions }) {
    const events = options.events ?? [said, REFUND];
    yield* actions.length === 0 ? events : (options.later ?? events);
  });
  const t = await openTestService({ agents: [agent], toolbox }, options.folder);
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.say(id, "Refund my order");
  await t.service.settled();
  return { t, fake, ann, id, ...(await stateOf(ann, id)) };
}

/** The actions of a conversation, and the id of the first. */
export async function stateOf(customer: TestCustomer, id: string) {
  const { actions = [] } = await customer.transcript(id);
  return { actions, actionId: actions[0]?.actionId ?? "" };
}

export const answerTo = (customer: TestCustomer, id: string, actionId: string, approved = true) =>
  customer.post(`/v1/support/conversations/${id}/action-approvals`, { actionId, approved });

/** The events of a conversation that are about actions. */
export async function eventsOf(t: TestService, id: string) {
  const { store, workspace } = t;
  const conversation = await store.desk.readDeskConversation({
    workspaceId: workspace.id,
    conversationId: id,
  });
  return (conversation?.events ?? []).filter(({ type }) => type.startsWith("action."));
}
