import { describe, expect, test } from "vitest";
import type { Wait } from "../../shared/handoff.ts";
import { type ReadEvent, readEventStream } from "../testing/event-reader.ts";
import { openTestService, type TestService } from "../testing/test-service.ts";
import { WAITS_MS } from "./waits.ts";

const PERSON = { id: "user_1", name: "Maria" };

/** A customer who has asked for a person, and follows the conversation. */
async function startWaiting(t: TestService, name: string, workspace = t.workspace) {
  t.clock.advance(WAITS_MS);
  const customer = await t.customer(name, workspace);
  const id = await customer.start();
  await customer.post("/v1/support/handoffs", { conversationId: id });
  const reader = readEventStream(await customer.get(`/v1/support/conversations/${id}/events`));
  const waitsOf = (read: readonly ReadEvent[]) =>
    read.flatMap(({ event }) => (event.type === "handoff.wait" ? [event.wait] : []));
  return {
    customer,
    id,
    reader,
    /** Reads until this wait is the last one that was said, and returns all. */
    until: async (wait: Wait) =>
      waitsOf(await reader.until((read) => JSON.stringify(waitsOf(read).at(-1)) === JSON.stringify(wait))),
    take: () => t.store.desk.acceptHandoff({ workspaceId: workspace.id, conversationId: id }, PERSON),
  };
}

describe("HAND5 a customer who waits for a person receives", () => {
  test("the place in the queue at once, and each time when it changes", async () => {
    const t = await openTestService();
    const ann = await startWaiting(t, "ann");
    const bob = await startWaiting(t, "bob");
    const cai = await startWaiting(t, "cai");
    await cai.until({ place: 3 });
    t.clock.advance(WAITS_MS);
    await ann.take();
    await cai.until({ place: 2 });
    t.clock.advance(WAITS_MS);
    await bob.customer.delete(`/v1/support/conversations/${bob.id}/content`);
    await cai.until({ place: 1 });
    await ann.reader.leave();
    await cai.reader.leave();
  });

  test("changes within a second are read together, and the last one is sent", async () => {
    const t = await openTestService();
    const people = [];
    for (const name of ["ann", "bob", "cai", "dee"]) people.push(await startWaiting(t, name));
    const dee = people[3] as (typeof people)[number];
    await dee.until({ place: 4 });
    t.clock.advance(WAITS_MS);
    for (const { take } of people.slice(0, 3)) await take();
    t.clock.advance(WAITS_MS);
    const said = await dee.until({ place: 1 });
    expect(said.map(({ place }) => place).filter((place, at, all) => place !== all[at - 1])).toEqual([
      4, 3, 1,
    ]);
    for (const { reader } of people) await reader.leave();
  });

  test("no news of another workspace's queue, and none once a person has joined", async () => {
    const t = await openTestService();
    const other = await t.addWorkspace("two");
    const elsewhere = await startWaiting(t, "ann", other);
    const ann = await startWaiting(t, "ann");
    await elsewhere.take();
    const bob = await startWaiting(t, "bob");
    await bob.until({ place: 2 });
    await ann.take();
    await ann.customer.say(ann.id, "Hello Maria");
    const isHello = ({ event }: ReadEvent) =>
      event.type === "message.created" && event.message.body === "Hello Maria";
    const read = await ann.reader.until((all) => all.some(isHello));
    const joined = read.findIndex(({ event }) => event.type === "handoff.accepted");
    const waits = read.flatMap(({ event }) => (event.type === "handoff.wait" ? [event.wait] : []));
    expect(new Set(waits.map(({ place }) => place))).toEqual(new Set([1]));
    expect(read.slice(joined).map(({ event }) => event.type)).not.toContain("handoff.wait");
    for (const { reader } of [elsewhere, ann, bob]) await reader.leave();
  });

  test("the same wait as before, when they wait again after a person had joined", async () => {
    const t = await openTestService();
    const ann = await startWaiting(t, "ann");
    await ann.until({ place: 1 });
    const bob = await startWaiting(t, "bob");
    await ann.take();
    await t.store.desk.returnToAgent({ workspaceId: t.workspace.id, conversationId: ann.id }, PERSON);
    await bob.take();
    t.clock.advance(WAITS_MS);
    await ann.customer.post("/v1/support/handoffs", { conversationId: ann.id });
    t.clock.advance(WAITS_MS);
    // Ends the reading even if no wait comes.
    await ann.customer.say(ann.id, "Anybody?");
    const read = await ann.reader.until((all) => all.at(-1)?.event.type === "message.created");
    const asked = read.findLastIndex(({ event }) => event.type === "handoff.requested");
    expect(read.slice(asked).map(({ event }) => event.type)).toContain("handoff.wait");
    for (const { reader } of [ann, bob]) await reader.leave();
  });

  test("the current wait, when a stream begins in the middle of it", async () => {
    const t = await openTestService();
    const ann = await startWaiting(t, "ann");
    const bob = await startWaiting(t, "bob");
    const { lastSeq } = await bob.customer.transcript(bob.id);
    const again = readEventStream(
      await bob.customer.get(`/v1/support/conversations/${bob.id}/events`, {
        "last-event-id": String(lastSeq),
      }),
    );
    const [first] = await again.until((read) => read.length === 1);
    expect(first).toEqual({ id: undefined, event: { type: "handoff.wait", wait: { place: 2 } } });
    for (const reader of [ann.reader, bob.reader, again]) await reader.leave();
  });
});
