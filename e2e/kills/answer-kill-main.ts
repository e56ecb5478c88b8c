import { writeSync } from "node:fs";
import { createAnswers } from "../../service/answers/answers.ts";
import { createHub } from "../../service/live/hub.ts";
import { openSqliteStore } from "../../service/store/sqlite/sqlite-store.ts";
import { createScriptedAgent } from "../../service/testing/agents.ts";
import { createMemoryLog } from "../../service/testing/memory-log.ts";
import { NO_TOOLS } from "../../service/tools/toolbox.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";

/**
 * A process for the kill test: an agent answers one turn endlessly, and each piece that is shown is printed. With
 * `unsaved` nothing shown is stored, a fault that the test must detect.
 */
const STDOUT = 1;
const PIECE = "word ".repeat(20);
const [path = "", name = "", mode = ""] = process.argv.slice(2);
const hub = createHub((error) => {
  throw error;
});
const clock = systemClock;
const random = systemRandom;
const store = openSqliteStore({ path, clock, random, publish: (entry) => hub.publish(entry) });
const agent = createScriptedAgent(async function* () {
  for (let piece = 0; ; piece += 1) {
    yield { type: "delta", text: `${piece} ${PIECE}` };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});
const answers = createAnswers({
  toolbox: NO_TOOLS,
  store: mode === "unsaved" ? { ...store.answers, renew: async () => true } : store.answers,
  hub,
  agents: [agent],
  clock,
  random,
  log: createMemoryLog(),
});
const workspace = await store.workspaces.create({ name, publicKey: name });
const customer = await store.customers.upsert(workspace.id, { externalId: "ann" });
const owner = { workspaceId: workspace.id, customerId: customer.id };
const route = { channel: "chat", agentProvider: agent.id };
const started = await store.conversations.start(
  owner,
  { subject: undefined, route, locale: undefined },
  undefined,
);
hub.subscribe(started.id, ({ event }) => {
  if (event.type === "response.delta") writeSync(STDOUT, `${JSON.stringify(event.delta)}\n`);
});
writeSync(STDOUT, `${JSON.stringify({ owner, id: started.id })}\n`);
await store.conversations.addTurn(owner, started.id, {
  clientMessageId: "hello",
  body: "Hello?",
  lease: answers.terms,
});
answers.wake(started.id);
