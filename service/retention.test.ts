import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkDatabase } from "./store/sqlite/check-database.ts";
import { filesOf } from "./store/sqlite/database-files.ts";
import { readEventStream } from "./testing/event-reader.ts";
import { png } from "./testing/files.ts";
import type { TestCustomer } from "./testing/test-customer.ts";
import { openTestService, type TestService } from "./testing/test-service.ts";

const HOUR_MS = 60 * 60 * 1000;
const ROUTE = { channel: "web", agentProvider: "none", humanHandoffAdapter: "desk" };
const PERSON = { id: "user_1", name: "Maria" };
const anon = (name: string) => `anon_${name.padEnd(20, "0")}`;

const ask = async (customer: TestCustomer) => {
  const id = await customer.start();
  await customer.post("/v1/support/handoffs", { conversationId: id });
  return id;
};
const stateOf = async (t: TestService, conversationId: string) =>
  (await t.store.desk.readDeskConversation({ workspaceId: t.workspace.id, conversationId }))?.state;
/** Advances by an hour at a time, and waits for each sweep. */
async function pass(t: TestService, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    t.clock.advance(HOUR_MS);
    await t.service.settled();
  }
}

describe("a request for a person", () => {
  test("HAND4 that nobody takes fails while its customer is away, and the customer reads so", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ask(ann);
    await pass(t, 72);
    expect(await stateOf(t, id)).toBe("waiting");
    await pass(t, 1);
    expect(await stateOf(t, id)).toBe("agent");
    const { conversation, marks } = await t.store.conversations.readTranscript(
      { workspaceId: t.workspace.id, customerId: await customerOf(t, "ann") },
      id,
      0,
      100,
    );
    expect(conversation.handoff?.status).toBe("failed");
    expect(marks.map(({ type }) => type)).toEqual(["handoff.requested", "handoff.failed"]);
    expect(checkDatabase(t.path).faults).toEqual([]);
  });

  test("HAND4 stays while the customer has the conversation open, writes in it, or a person has taken it", async () => {
    const t = await openTestService();
    const names = ["open", "writes", "taken"];
    const customers = await Promise.all(names.map((name) => t.customer(name)));
    const [open = "", writes = "", taken = ""] = await Promise.all(customers.map(ask));
    const reader = readEventStream(
      (await customers[0]?.get(`/v1/support/conversations/${open}/events`)) ?? new Response(),
    );
    await t.store.desk.acceptHandoff({ workspaceId: t.workspace.id, conversationId: taken }, PERSON);
    await pass(t, 60);
    const owner = { workspaceId: t.workspace.id, customerId: await customerOf(t, "writes") };
    await t.store.conversations.addTurn(owner, writes, { clientMessageId: "k", body: "Hello?" });
    await pass(t, 60);
    expect([await stateOf(t, open), await stateOf(t, writes), await stateOf(t, taken)]).toEqual([
      "waiting",
      "waiting",
      "taken",
    ]);
    await reader.leave();
    await pass(t, 1);
    expect(await stateOf(t, open)).toBe("agent");
  });
});

test("the end of the process does not wait for all the files that nobody sent", async () => {
  const t = await openTestService();
  // The sweep of the start.
  await t.service.settled();
  const folder = filesOf(t.path);
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < 300; n += 1) {
    const path = join(folder, `att_${n}`);
    writeFileSync(path, "");
    utimesSync(path, 0, 0);
  }
  t.clock.advance(HOUR_MS);
  await t.close();
  expect(readdirSync(folder).length).toBeGreaterThanOrEqual(200);
});

describe("a flood of requests for a person", () => {
  async function flood(t: TestService, length: number): Promise<string[]> {
    const owner = { workspaceId: t.workspace.id, customerId: await customerOf(t, "ann") };
    const given = { subject: undefined, route: ROUTE, locale: undefined };
    const request = { reason: undefined, currentIntent: undefined, transcript: undefined, adapter: "desk" };
    return Promise.all(
      Array.from({ length }, async () => {
        const { id: conversationId } = await t.store.conversations.start(owner, given, undefined);
        await t.store.handoffs.request(owner, { ...request, conversationId }, undefined);
        return conversationId;
      }),
    );
  }

  test("HAND4 fails in one sweep, however many there are", async () => {
    const t = await openTestService();
    await flood(t, 2050);
    t.clock.advance(73 * HOUR_MS);
    await t.service.settled();
    expect(await t.store.handoffs.expire(t.clock.now(), new Set())).toBe(0);
  });

  test("HAND4 fails a hundred at a time, without those whose customers have them open", async () => {
    const t = await openTestService();
    const ids = await flood(t, 120);
    t.clock.advance(1);
    const followed = new Set(ids.slice(0, 10));
    const expire = () => t.store.handoffs.expire(t.clock.now(), followed);
    expect([await expire(), await expire(), await expire()]).toEqual([100, 10, 0]);
    expect(await Promise.all(ids.slice(0, 11).map((id) => stateOf(t, id)))).toEqual([
      ...Array(10).fill("waiting"),
      "agent",
    ]);
  });
});

describe("an anonymous customer", () => {
  const isThere = async (t: TestService, externalId: string) =>
    t.store.erasure.exportCustomer(t.workspace.id, externalId).then(
      () => true,
      () => false,
    );

  test("STORE12 is erased with conversations and files after their days, and nobody else is", async () => {
    const t = await openTestService({ retention: { handoffHours: 72, anonymousDays: 2 } });
    const old = await t.customer(anon("old"));
    const conversation = await old.start();
    const file = await old.upload(conversation, png());
    await old.post(`/v1/support/conversations/${conversation}/turns`, {
      clientMessageId: "k",
      content: { body: "Look.", format: "plain" },
      attachments: [{ id: file.id }],
    });
    await t.customer(anon("without"));
    await (await t.customer("known")).start();
    const linked = await t.customer(anon("linked"));
    const linkedId = await linked.start();
    await t.store.conversations.link(t.workspace.id, linkedId, {
      externalId: anon("linked"),
      linkedTo: "known",
    });
    const talking = await ask(await t.customer(anon("taken")));
    await t.store.desk.acceptHandoff({ workspaceId: t.workspace.id, conversationId: talking }, PERSON);
    await pass(t, 47);
    await (await t.customer(anon("late"))).start();
    expect(await isThere(t, anon("old"))).toBe(true);
    await pass(t, 2);
    const all = ["known", ...["old", "without", "linked", "taken", "late"].map(anon)];
    const there = await Promise.all(all.map((externalId) => isThere(t, externalId)));
    expect(all.filter((_, index) => there[index])).toEqual([
      "known",
      anon("linked"),
      anon("taken"),
      anon("late"),
    ]);
    const target = { workspaceId: t.workspace.id, conversationId: conversation };
    await expect(t.store.attachments.openForDesk(target, file.id)).rejects.toMatchObject({
      code: "not_found",
    });
    const audit = await t.store.deskPeople.readAudit(t.workspace.id, undefined, 100);
    const purged = audit.filter(({ action }) => action === "conversation.purged");
    expect(purged.map(({ target }) => target)).toEqual([conversation]);
    expect(JSON.stringify(audit)).not.toContain("anon_");
    expect(checkDatabase(t.path).faults).toEqual([]);
  });

  test("STORE12 stays if they write while others are being erased", async () => {
    const t = await openTestService({ retention: { handoffHours: 72, anonymousDays: 0 } });
    const first = await (await t.customer(anon("first"))).start();
    t.clock.advance(1);
    const owner = { workspaceId: t.workspace.id, customerId: await customerOf(t, anon("second")) };
    const given = { subject: undefined, route: ROUTE, locale: undefined };
    const { id } = await t.store.conversations.start(owner, given, undefined);
    t.clock.advance(HOUR_MS);
    const written = new Promise((resolve) => {
      t.hub.subscribe(first, () =>
        resolve(t.store.conversations.addTurn(owner, id, { clientMessageId: "k", body: "I am back." })),
      );
    });
    for await (const _ of t.store.erasure.purgeAnonymous(t.clock.now()));
    expect(await written).toMatchObject({ message: { body: "I am back." } });
    const { messages } = await t.store.conversations.readTranscript(owner, id, 0, 100);
    expect(messages.map(({ body }) => body)).toContain("I am back.");
    expect(await isThere(t, anon("first"))).toBe(false);
  });

  test("STORE12 stays with a long log if they write just before the first piece of it is removed", async () => {
    const t = await openTestService();
    const name = anon("back");
    const ann = await t.customer(name);
    const id = await ann.start();
    const owner = { workspaceId: t.workspace.id, customerId: await customerOf(t, name) };
    const say = (body: string) => t.store.conversations.addTurn(owner, id, { clientMessageId: body, body });
    for (let count = 0; count < 60; count += 1) await say(`${count}`);
    t.clock.advance(1);
    const sweep = async () => {
      for await (const _ of t.store.erasure.purgeAnonymous(t.clock.now()));
    };
    await Promise.all([say("back"), sweep()]);
    const { messages } = await t.store.conversations.readTranscript(owner, id, 0, 100);
    expect(messages.map(({ body }) => body)).toContain("back");
    expect(messages).toHaveLength(61);
  });

  test("STORE12 that somebody else erases during a sweep does not keep the others from being erased", async () => {
    const t = await openTestService();
    for (const name of ["first", "second", "third"]) {
      await t.customer(anon(name));
      t.clock.advance(1);
    }
    const { erasure } = t.store;
    let erased = 0;
    for await (const _ of erasure.purgeAnonymous(t.clock.now())) {
      erased += 1;
      if (erased === 1) await erasure.eraseCustomer(t.workspace.id, anon("second"));
    }
    expect(await isThere(t, anon("third"))).toBe(false);
  });

  test("STORE12 keeps the end of the process from waiting for all the others whose days are over", async () => {
    const t = await openTestService({ retention: { handoffHours: 72, anonymousDays: 2 } });
    const names = Array.from({ length: 30 }, (_, index) => anon(`a${index}`));
    for (const name of names) await t.customer(name);
    t.clock.advance(49 * HOUR_MS);
    await t.service.close();
    const left = await Promise.all(names.map((name) => isThere(t, name)));
    expect(left.filter(Boolean).length).toBeGreaterThan(25);
  });

  test("STORE12 stays for good where 0 days are configured", async () => {
    const t = await openTestService({ retention: { handoffHours: 72, anonymousDays: 0 } });
    await t.customer(anon("old"));
    await pass(t, 48);
    expect(await isThere(t, anon("old"))).toBe(true);
  });
});

async function customerOf(t: TestService, externalId: string): Promise<string> {
  return (await t.store.customers.upsert(t.workspace.id, { externalId })).id;
}
