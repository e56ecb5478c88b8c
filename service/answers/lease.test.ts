import { describe, expect, test } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { systemRandom } from "../../shared/server/random.ts";
import { createHeldAgent, createScriptedAgent } from "../testing/agents.ts";
import { createManualClock, type ManualClock } from "../testing/manual-clock.ts";
import { settleDown } from "../testing/settle-down.ts";
import { openTestService, type TestService } from "../testing/test-service.ts";
import { NO_TOOLS } from "../tools/toolbox.ts";
import { createAnswers, LEASE_MS } from "./answers.ts";
import { SHOW_MS } from "./shown-answer.ts";

const other = createScriptedAgent(async function* () {
  yield { type: "delta", text: "From the other process." };
});

/**
 * A first process with its own clock, which the test can stop to simulate its death, and a second one on the same store
 * whose clock is the store's.
 */
async function openTwo() {
  const held = createHeldAgent();
  const firstClock = createManualClock();
  // This test's service only accepts turns: the first process runs the agent.
  const t = await openTestService({ agents: [held.agent], clock: firstClock, isOnlyProcess: false });
  const second = createAnswers({
    toolbox: NO_TOOLS,
    store: t.store.answers,
    hub: t.hub,
    agents: [other],
    clock: t.clock,
    random: systemRandom,
    log: t.log,
  });
  await second.start({ isOnlyProcess: false });
  const shown: string[] = [];
  const ann = await t.customer("ann");
  const id = await ann.start();
  t.hub.subscribe(id, ({ event }) => {
    if (event.type === "response.delta") shown.push(event.delta);
  });
  await ann.say(id, "Hello?");
  await settleDown();
  const pass = async (clock: ManualClock, ms: number) => {
    clock.advance(ms);
    await settleDown();
  };
  const answers = async () => (await ann.transcript(id)).messages.filter(({ role }) => role !== "customer");
  return { t, held, firstClock, second, ann, id, shown, pass, answers };
}

/** The text of the most recently stored partial answer. */
async function storedOf(t: TestService, id: string): Promise<string | undefined> {
  await t.store.answers.expireAll();
  const claimed = await t.store.answers.claim(id, { owner: "test", ms: 0 });
  return claimed?.partial?.body;
}

describe("an answer runs under a lease", () => {
  test("STORE1 on a disk that is full a process starts, and takes over when the dead one's lease ends", async () => {
    const { t, second, pass, answers } = await openTwo();
    await second.close();
    const expireAll = () => Promise.reject(new Failure("storage_full"));
    const { hub, clock, log } = t;
    const store = { ...t.store.answers, expireAll };
    const third = createAnswers({
      toolbox: NO_TOOLS,
      store,
      hub,
      agents: [other],
      clock,
      random: systemRandom,
      log,
    });
    await third.start({ isOnlyProcess: true });
    expect(t.log.text()).toContain("answers of an earlier process wait until their leases end");
    await pass(clock, LEASE_MS);
    await expect.poll(answers).toMatchObject([{ body: "From the other process." }]);
    await third.close();
  });

  test("a process that renews its lease keeps the answer, however long it takes", async () => {
    const { held, firstClock, t, pass, answers, second } = await openTwo();
    held.say("Slowly");
    for (let rounds = 0; rounds < 10; rounds += 1) {
      await pass(firstClock, LEASE_MS / 3);
      await pass(t.clock, LEASE_MS / 3);
    }
    expect(await answers()).toEqual([]);
    held.end();
    await expect.poll(answers).toMatchObject([{ body: "Slowly" }]);
    await second.close();
  });

  test("AGENT3 if a process dies in the middle, what was shown is stored as incomplete, once", async () => {
    const { held, firstClock, t, pass, answers, second } = await openTwo();
    held.say("Half an ans");
    await settleDown();
    await pass(firstClock, SHOW_MS);
    await pass(firstClock, 1000);
    held.say("wer that nobody saw");
    // The first process is now dead: its clock has stopped.
    await pass(t.clock, LEASE_MS - 1);
    expect(await answers()).toEqual([]);
    await pass(t.clock, LEASE_MS);
    await expect.poll(answers).toHaveLength(1);
    const closed = await answers();
    expect(closed).toMatchObject([{ body: "Half an ans", incomplete: true, notice: "agent_failed" }]);
    // It wakes up: its lease is lost, so it writes nothing.
    held.say(" more");
    held.end();
    await pass(firstClock, LEASE_MS);
    await pass(t.clock, LEASE_MS);
    expect(await answers()).toEqual(closed);
    await second.close();
  });

  test("AGENT3 if a process dies before it has shown anything, another one gives the whole answer", async () => {
    const { held, t, pass, answers, second } = await openTwo();
    await pass(t.clock, 2 * LEASE_MS);
    await expect.poll(answers).toMatchObject([{ body: "From the other process." }]);
    held.say("Too late");
    held.end();
    await settleDown();
    expect(await answers()).toHaveLength(1);
    await second.close();
  });

  test("a turn that another process takes waits for the previous answer", async () => {
    const { t, held, ann, id, answers, second } = await openTwo();
    await ann.say(id, "And then?");
    second.wake(id);
    await settleDown();
    expect(await answers()).toEqual([]);
    held.say("One");
    held.end();
    await settleDown();
    held.say("Two");
    held.end();
    await t.service.settled();
    expect(await answers()).toMatchObject([{ body: "One" }, { body: "Two" }]);
    await second.close();
  });

  test("a released lease is free immediately", async () => {
    const { t, held, second, answers } = await openTwo();
    held.say("Hel");
    await settleDown();
    await t.service.close();
    await second.start({ isOnlyProcess: false });
    await second.settled();
    expect(await answers()).toMatchObject([{ body: "From the other process." }]);
    await second.close();
  });
});

describe("shown text is stored at a bounded rate", () => {
  test("text is stored a second after it was shown, and not before", async () => {
    const { t, held, firstClock, id, pass } = await openTwo();
    held.say("Hello");
    await settleDown();
    await pass(firstClock, SHOW_MS);
    await pass(firstClock, 999);
    expect(await storedOf(t, id)).toBeUndefined();
    const again = await openTwo();
    again.held.say("Hello");
    await settleDown();
    await again.pass(again.firstClock, SHOW_MS);
    await again.pass(again.firstClock, 1000);
    expect(await storedOf(again.t, again.id)).toBe("Hello");
  });

  test("never more than 2,048 shown characters are unsaved", async () => {
    const { t, held, firstClock, id, pass, shown } = await openTwo();
    for (let piece = 0; piece < 40; piece += 1) {
      held.say("x".repeat(200));
      await pass(firstClock, 120);
    }
    const said = shown.join("").length;
    expect(said).toBeGreaterThan(4096);
    expect((await storedOf(t, id))?.length).toBeGreaterThanOrEqual(said - 2048);
  });

  test("a hand-off appends everything that was shown, including what was not stored yet", async () => {
    const { held, ann, id, shown, answers, second } = await openTwo();
    held.say("Let me see");
    await settleDown();
    await ann.post("/v1/support/handoffs", { conversationId: id });
    expect(shown.join("")).toBe("Let me see");
    expect(await answers()).toMatchObject([{ body: "Let me see", incomplete: true }]);
    await second.close();
  });

  test("nothing is shown after the hand-off, and a refused hand-off lets the answer continue", async () => {
    const { t, held, ann, id, shown, answers, second } = await openTwo();
    held.say("One ");
    await settleDown();
    const refused = await t.service.app.request(`/v1/support/conversations/${id}x`, { method: "DELETE" });
    expect(refused.status).toBe(401);
    const foreign = await t.customer("bob");
    expect((await foreign.delete(`/v1/support/conversations/${id}`)).status).toBe(404);
    held.say("two");
    await settleDown();
    await ann.delete(`/v1/support/conversations/${id}`);
    held.say(" three");
    held.end();
    await t.service.settled();
    expect(shown.join("")).not.toContain("three");
    expect(await answers()).toMatchObject([{ body: "One two", incomplete: true }]);
    await second.close();
  });
});

test("a reader who joins in the middle gets the whole text once", async () => {
  const { t, held, id, firstClock, pass, second } = await openTwo();
  held.say("One ");
  await settleDown();
  await pass(firstClock, SHOW_MS);
  held.say("two ");
  await settleDown();
  const later: string[] = [];
  t.hub.subscribe(id, ({ event }) => {
    if (event.type === "response.delta") later.push(event.delta);
  });
  await pass(firstClock, 120);
  held.say("three");
  await pass(firstClock, 120);
  expect(later.join("")).toBe("two three");
  await second.close();
});
