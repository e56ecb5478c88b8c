import { describe, expect, test } from "vitest";
import { capabilities } from "../../shared/v1/capabilities.ts";
import type { HandoffAdapter } from "../handoff/adapter.ts";
import { deskAdapter } from "../handoff/desk-adapter.ts";
import { type ReadEvent, readEventStream } from "../testing/event-reader.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

const EMAIL = "ann+lamp@shop.example";

async function openTalk(externalId = "ann") {
  const t = await openTestService();
  const customer = await t.customer(externalId);
  const id = await customer.start();
  const path = `/v1/support/conversations/${id}`;
  return {
    t,
    customer,
    id,
    path,
    set: (email: unknown, by = customer, at = path) => by.post(`${at}/contact`, { email }),
    stored: async () => (await customer.transcript(id)).conversation?.contact,
    atDesk: async () =>
      (await t.store.desk.readDeskConversation({ workspaceId: t.workspace.id, conversationId: id }))?.contact,
  };
}

describe("CONTACT2 an address that a customer leaves", () => {
  test("is stored as it was typed, changes, and can be removed, also after the end", async () => {
    const { customer, id, path, set, stored, atDesk } = await openTalk();
    for (const email of [EMAIL, EMAIL, "Other@shop.example"]) {
      const answer = await set(email);
      expect([answer.status, await answer.json()]).toEqual([200, { contact: { email, conversationId: id } }]);
      expect(await stored()).toEqual({ email });
      expect(await atDesk()).toEqual({ email });
    }
    await customer.delete(path);
    expect(await (await set(null)).json()).toEqual({ contact: { email: null, conversationId: id } });
    expect([await stored(), await atDesk()]).toEqual([undefined, undefined]);
  });

  test("reaches the open streams of the conversation once for each change", async () => {
    const { customer, path, set } = await openTalk();
    const reader = readEventStream(await customer.get(`${path}/events`));
    await reader.until((read) => read.length > 0);
    for (const email of [EMAIL, EMAIL, null]) await set(email);
    const changes = (read: readonly ReadEvent[]) =>
      read.flatMap(({ event }) => (event.type === "contact.changed" ? [event.contact.email] : []));
    expect(changes(await reader.until((read) => changes(read).at(-1) === null))).toEqual([EMAIL, null]);
    await reader.leave();
  });

  test("is neither the site's address nor a key: a second customer with the same address stays separate", async () => {
    const { t, set, atDesk } = await openTalk();
    await t.store.customers.upsert(t.workspace.id, { externalId: "ann", email: "ann@site.example" });
    await set(EMAIL);
    const bob = await t.customer("bob");
    const id = await bob.start();
    await set(EMAIL, bob, `/v1/support/conversations/${id}`);
    const target = { workspaceId: t.workspace.id, conversationId: id };
    expect((await t.store.desk.readDeskConversation(target))?.customer).toMatchObject({ externalId: "bob" });
    expect(await atDesk()).toEqual({ email: EMAIL });
    const { customer } = await t.store.erasure.exportCustomer(t.workspace.id, "ann");
    expect(customer).toMatchObject({ email: "ann@site.example", contactEmail: EMAIL });
  });

  test.each(["", "ann", "a@b", "a@b.example\r\nBcc: c@d.example", "<a@b.example>", 7, {}, undefined])(
    "%j is refused and changes nothing",
    async (email) => {
      const { set, stored } = await openTalk();
      await set(EMAIL);
      expect((await problemOf(await set(email))).code).toBe("bad_request");
      expect(await stored()).toEqual({ email: EMAIL });
    },
  );

  test("another customer neither sets nor reads it, and learns nothing", async () => {
    const { t, path, set, stored } = await openTalk();
    await set(EMAIL);
    const bob = await t.customer("bob");
    const eve = await t.customer("ann", await t.addWorkspace("two"));
    for (const other of [bob, eve]) {
      expect((await problemOf(await set("evil@shop.example", other))).code).toBe("not_found");
      expect((await other.get(`${path}/messages`)).status).toBe(404);
    }
    expect(await stored()).toEqual({ email: EMAIL });
  });

  test("is erased with the last conversation, and stays while there is another", async () => {
    const { t, customer, path, set } = await openTalk();
    const second = await customer.start();
    await set(EMAIL);
    const exported = async () =>
      (await t.store.erasure.exportCustomer(t.workspace.id, "ann")).customer["contactEmail"];
    await customer.delete(`${path}/content`);
    expect(await exported()).toBe(EMAIL);
    await customer.delete(`/v1/support/conversations/${second}/content`);
    expect(await exported()).toBeNull();
  });

  test("stays with a visitor who signs in, and is erased with the customer", async () => {
    const { t, id, set, atDesk } = await openTalk("anon_visitor");
    await set(EMAIL);
    const ann = await t.customer("ann");
    const link = { externalId: "anon_visitor", linkedTo: "ann" };
    await t.store.conversations.link(t.workspace.id, id, link);
    expect((await ann.transcript(id)).conversation?.contact).toBeUndefined();
    expect(await atDesk()).toEqual({ email: EMAIL });
    await set("ann@shop.example", ann);
    expect(await atDesk()).toEqual({ email: "ann@shop.example" });
    await t.store.erasure.eraseCustomer(t.workspace.id, "ann");
    const { customer } = await t.store.erasure.exportCustomer(t.workspace.id, "anon_visitor");
    expect(customer["contactEmail"]).toBeNull();
  });
});

describe("CONTACT1 the capability", () => {
  const { outbound: _, ...desk } = deskAdapter;
  const elsewhere: HandoffAdapter = {
    ...desk,
    id: "elsewhere",
    outbound: {
      send: async () => undefined,
      readBack: async () => new Set(),
      close: async () => undefined,
    },
  };

  test.each([
    ["the desk", [deskAdapter], true],
    ["another tool beside the desk", [elsewhere, deskAdapter], true],
    ["another tool only", [elsewhere], false],
    ["no people", [], false],
  ])("with %s is declared: %s", async (_name, adapters, isDeclared) => {
    const t = await openTestService({ adapters });
    const ann = await t.customer("ann");
    const answer = await (await ann.get("/v1/support/capabilities")).json();
    expect(capabilities.answer.parse(answer).capabilities.includes("contact")).toBe(isDeclared);
  });
});
