import { expect, test } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createHub } from "../live/hub.ts";
import type { SummaryStore, SummarySubject } from "../store/summaries.ts";
import { createScriptedAgent } from "../testing/agents.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createMemoryLog } from "../testing/memory-log.ts";
import { createSummaries } from "./summaries.ts";

const OWNER = { workspaceId: "w1", customerId: "c1" };
const SUBJECT: SummarySubject = {
  conversationId: "conv1",
  customerId: "c1",
  agentProvider: "test",
  handoffId: "h1",
  messages: [
    { id: "m1", seq: 2, role: "customer", body: "My lamp flickers.", at: "2026-11-25T12:00:00.000Z" },
  ],
  sent: undefined,
  actions: [],
  locale: "en",
};

/** A model that counts how often it was asked, and writes once the test lets it. */
function open({ isHeld = false } = {}) {
  let asked = 0;
  const held = Promise.withResolvers<void>();
  if (!isHeld) held.resolve();
  const agent: Agent = {
    ...createScriptedAgent(
      async function* () {
        // It answers nothing here.
      },
      { id: "test" },
    ),
    async summarize() {
      asked += 1;
      await held.promise;
      return { model: "m", sentences: [{ text: "The lamp flickers.", seq: 2 }] };
    },
  };
  const store: SummaryStore = {
    read: async () => SUBJECT,
    send: async (_owner, _id, summary) => summary,
  };
  const hub = createHub(() => undefined);
  const summaries = createSummaries({
    store,
    hub,
    agents: [agent],
    clock: createManualClock(),
    log: createMemoryLog(),
  });
  const propose = () => summaries.propose(OWNER, "conv1");
  const erase = () =>
    hub.publish({ workspaceId: "w1", conversationId: "conv1", event: { type: "conversation.erased" } });
  return { propose, erase, write: held.resolve, asked: () => asked };
}

test("HAND6 a model is asked once for a summary, whoever asks and however often", async () => {
  const { propose, asked } = open();
  await Promise.all([propose(), propose()]);
  expect((await propose()).sentences).toMatchObject([{ text: "The lamp flickers." }]);
  expect(asked()).toBe(1);
});

test("HAND6 an erasure drops what a model wrote, also what it is still writing", async () => {
  const known = open();
  await known.propose();
  known.erase();
  await known.propose();
  expect(known.asked(), "it was forgotten, so the model is asked again").toBe(2);

  const running = open({ isHeld: true });
  const first = running.propose();
  await expect.poll(running.asked).toBe(1);
  running.erase();
  running.write();
  await first;
  await running.propose();
  expect(running.asked()).toBe(2);
});
