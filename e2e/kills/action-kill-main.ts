import { writeSync } from "node:fs";
import { createActions } from "../../service/actions/actions.ts";
import { openSqliteStore } from "../../service/store/sqlite/sqlite-store.ts";
import { createMemoryLog } from "../../service/testing/memory-log.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";

/** A process for the kill test: the customer allows an action, whose tool is called and never answers. */
const STDOUT = 1;
const [path = ""] = process.argv.slice(2);
const clock = systemClock;
const random = systemRandom;
const store = openSqliteStore({ path, clock, random, publish: () => undefined });
const actions = createActions({
  store: store.actions,
  toolbox: {
    act: () => {
      writeSync(STDOUT, "called\n");
      return new Promise(() => undefined);
    },
  },
  clock,
  random,
  log: createMemoryLog(),
});
const workspace = await store.workspaces.create({ name: "shop", publicKey: "shop" });
const customer = await store.customers.upsert(workspace.id, { externalId: "ann" });
const owner = { workspaceId: workspace.id, customerId: customer.id };
const route = { channel: "chat", agentProvider: "knowledge" };
const { id } = await store.conversations.start(
  owner,
  { subject: undefined, route, locale: undefined },
  undefined,
);
const lease = { owner: "this process", ms: 60_000 };
await store.conversations.addTurn(owner, id, { clientMessageId: "hello", body: "Refund", lease });
const owed = await store.answers.claim(id, lease);
if (!owed) throw new Error("no answer is owed");
const message = { id: owed.answerId, role: "agent", body: "Shall I?", author: { name: "AI" } } as const;
await store.answers.finish(owed, lease.ms, message, {
  actions: [
    {
      tool: "shop_refund",
      definition: "1",
      title: "Refund",
      arguments: [],
      input: {},
      confirm: "customer",
      validMs: 900_000,
    },
  ],
  made: () => undefined,
});
const { actions: asked = [] } = await store.conversations.readTranscript(owner, id, 0, 100);
const actionId = asked[0]?.actionId ?? "";
writeSync(STDOUT, `${JSON.stringify({ owner, id, actionId })}\n`);
await actions.answerAsCustomer(owner, id, { actionId, approved: true });
// Keeps the process until it is killed.
setInterval(() => undefined, 60_000);
