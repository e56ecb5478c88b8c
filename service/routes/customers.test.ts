import { describe, expect, test } from "vitest";
import { identify } from "../../shared/v1/identify.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import { json } from "../testing/test-customer.ts";
import { openTestService, problemOf, type TestService } from "../testing/test-service.ts";

const IDENTIFY = "/v1/customers/identify";
const SESSIONS = "/v1/sdk/sessions";

function identifyAs(t: TestService, body: unknown, credential = t.workspace.credential) {
  return t.request(IDENTIFY, json(body, credential));
}

describe("identify works", () => {
  test("creates a customer and names the externalId that was sent", async () => {
    const t = await openTestService();
    const answer = await identifyAs(t, {
      externalId: "customer-42",
      email: "a@example.com",
      displayName: "Ann",
    });
    expect(answer.status).toBe(200);
    const { customer } = identify.answer.parse(await answer.json());
    expect(customer?.externalId).toBe("customer-42");
  });

  test("addresses the same profile on each later call and keeps what is not sent again", async () => {
    const t = await openTestService();
    const first = await (
      await identifyAs(t, { externalId: "x", attributes: { plan: "pro", seats: 3 } })
    ).json();
    const second = await (
      await identifyAs(t, { externalId: "x", displayName: "Xia", attributes: { seats: 4 } })
    ).json();
    expect(second).toEqual(first);
    const ann = await t.customer("x");
    const id = await ann.start();
    const seen = await t.store.desk.readDeskConversation({ workspaceId: t.workspace.id, conversationId: id });
    expect(seen?.customer).toMatchObject({
      displayName: "Xia",
      traits: { plan: "pro", seats: 4 },
      identified: true,
    });
  });

  test("two customers with the same e-mail address stay two", async () => {
    const t = await openTestService();
    const one = await (await identifyAs(t, { externalId: "1", email: "same@example.com" })).json();
    const two = await (await identifyAs(t, { externalId: "2", email: "same@example.com" })).json();
    expect(one.customer.id).not.toBe(two.customer.id);
  });
});

describe("IDENT9 who an anonymous visitor turned out to be", () => {
  const ANONYMOUS = "anon_AAAAAAAAAAAAAAAAAAAAAA";

  async function talk() {
    const t = await openTestService();
    const visitor = await t.customer(ANONYMOUS);
    const id = await visitor.start();
    await visitor.say(id, "before");
    const link = (linkedTo: unknown, externalId = ANONYMOUS) =>
      identifyAs(t, { externalId, attributes: { identified: false, linkedTo } });
    const target = { workspaceId: t.workspace.id, conversationId: id };
    const seen = async () => {
      const opened = await t.store.desk.readDeskConversation(target);
      const { linked } = opened ?? {};
      const own = opened?.messages.filter(
        ({ role, seq }) => linked && role === "customer" && seq > linked.afterSeq,
      );
      return { linked, own: own?.map(({ body }) => body), identified: opened?.customer.identified };
    };
    return { t, visitor, id, link, seen };
  }

  test("what was said before stays unverified, what comes after is theirs, and the queue says so too", async () => {
    const { t, visitor, id, link, seen } = await talk();
    await identifyAs(t, { externalId: "ann", displayName: "Ann" });
    expect((await seen()).linked).toBeUndefined();
    expect((await link("ann")).status).toBe(200);
    await visitor.say(id, "after");
    const { linked, own, identified } = await seen();
    expect(linked).toMatchObject({ externalId: "ann", displayName: "Ann" });
    expect(own).toEqual(["after"]);
    expect(identified).toBe(false);
    const [row] = await t.store.desk.listDeskConversations(t.workspace.id);
    expect(row?.linked).toEqual(linked);
  });

  test("once: the same note again moves nothing, and another name takes nothing over", async () => {
    const { t, visitor, id, link, seen } = await talk();
    for (const externalId of ["ann", "bob"]) await identifyAs(t, { externalId });
    await link("ann");
    const first = await seen();
    await visitor.say(id, "after");
    await link("ann");
    await link("bob");
    expect((await seen()).linked).toEqual(first.linked);
    const next = await visitor.start();
    await link("bob");
    const target = { workspaceId: t.workspace.id, conversationId: next };
    expect((await t.store.desk.readDeskConversation(target))?.linked).toBeUndefined();
  });

  test("nobody who is not there, no visitor, no customer of another workspace, and no identified customer's log", async () => {
    const { t, link, seen } = await talk();
    for (const nobody of ["ann", "anon_BBBBBBBBBBBBBBBBBBBBBB", "", 7, true]) {
      await link(nobody);
      expect((await seen()).linked).toBeUndefined();
    }
    const other = await t.store.workspaces.create({ name: "other", publicKey: "pk_other" });
    await t.store.customers.upsert(other.id, { externalId: "ann" });
    await link("ann");
    expect((await seen()).linked).toBeUndefined();
    const bob = await t.customer("bob");
    const target = { workspaceId: t.workspace.id, conversationId: await bob.start() };
    await identifyAs(t, { externalId: "ann" });
    await link("ann", "bob");
    expect((await t.store.desk.readDeskConversation(target))?.linked).toBeUndefined();
  });

  test("a session's token can't say it, and an ended conversation stays as it was", async () => {
    const { t, visitor, id, link, seen } = await talk();
    await identifyAs(t, { externalId: "ann" });
    const forged = { externalId: ANONYMOUS, attributes: { linkedTo: "ann" } };
    expect((await identifyAs(t, forged, visitor.token)).status).toBe(401);
    await visitor.delete(`/v1/support/conversations/${id}`);
    await link("ann");
    expect((await seen()).linked).toBeUndefined();
  });
});

describe("identify refuses", () => {
  test.each([
    ["no externalId", { email: "a@example.com" }],
    ["an empty externalId", { externalId: "" }],
    ["an externalId that is no string", { externalId: { $ne: 1 } }],
    ["an address that is none", { externalId: "x", email: "nobody" }],
    ["nested traits", { externalId: "x", attributes: { a: { b: 1 } } }],
    [
      "51 traits",
      { externalId: "x", attributes: Object.fromEntries([...Array(51).keys()].map((n) => [`k${n}`, n])) },
    ],
    ["a name over two lines", { externalId: "x", displayName: "a\nb" }],
  ])("%s", async (_name, body) => {
    const t = await openTestService();
    const answer = await identifyAs(t, body);
    expect(answer.status).toBe(400);
    expect((await problemOf(answer)).code).toBe("bad_request");
  });

  test("names the fields that are wrong, and no value", async () => {
    const t = await openTestService();
    const { detail } = await problemOf(
      await identifyAs(t, { externalId: "x", email: "canary-value", displayName: "" }),
    );
    expect(detail).toContain("email");
    expect(detail).toContain("displayName");
    expect(detail).not.toContain("canary-value");
  });

  test("traits that would grow over the limit by merging", async () => {
    const t = await openTestService();
    const traits = (from: number) =>
      Object.fromEntries([...Array(30).keys()].map((n) => [`k${from + n}`, n]));
    expect((await identifyAs(t, { externalId: "x", attributes: traits(0) })).status).toBe(200);
    expect((await identifyAs(t, { externalId: "x", attributes: traits(100) })).status).toBe(400);
  });
});

describe("sessions", () => {
  test("give a token with its life and bind the customer", async () => {
    const t = await openTestService();
    const answer = await t.request(SESSIONS, json({ externalId: "anon_1" }, t.workspace.credential));
    expect(answer.status).toBe(201);
    const { token, expiresIn } = sessions.answer.parse(await answer.json());
    expect(expiresIn).toBe(900);
    const payload = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(payload).toMatchObject({ workspaceId: t.workspace.id, externalId: "anon_1" });
  });

  test("a visitor whom no site vouched for is shown as not identified", async () => {
    const t = await openTestService();
    const id = await (await t.customer("anon_1")).start();
    const seen = await t.store.desk.readDeskConversation({ workspaceId: t.workspace.id, conversationId: id });
    expect(seen?.customer.identified).toBe(false);
  });
});
