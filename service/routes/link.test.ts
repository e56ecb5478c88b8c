import { describe, expect, test } from "vitest";
import { systemRandom } from "../../shared/server/random.ts";
import { linkConversation } from "../../shared/v1/conversations.ts";
import { issueCredential } from "../auth/credential.ts";
import { openStage } from "../testing/authorisation-stage.ts";
import { readEventStream, seqsOf } from "../testing/event-reader.ts";
import { json } from "../testing/test-customer.ts";
import { openTestService, problemOf, type TestService } from "../testing/test-service.ts";

const ANONYMOUS = "anon_AAAAAAAAAAAAAAAAAAAAAA";

async function talk() {
  const t = await openTestService();
  const visitor = await t.customer(ANONYMOUS);
  const id = await visitor.start();
  await visitor.say(id, "before");
  const link = (linkedTo: unknown, externalId = ANONYMOUS, conversationId = id, token?: string) =>
    linkAs(t, conversationId, { externalId, linkedTo }, token);
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

function linkAs(t: TestService, id: string, body: unknown, token = t.workspace.credential) {
  return t.request(`/v1/support/conversations/${id}/link`, json(body, token));
}

describe("IDENT9 linking an anonymous conversation to its customer", () => {
  test("the customer owns it afterwards, and the visitor's own sessions no longer open it", async () => {
    const { t, visitor, id, link } = await talk();
    const ann = await t.customer("ann");
    expect((await problemOf(await ann.get(`/v1/support/conversations/${id}/messages`))).code).toBe(
      "not_found",
    );
    const answer = await link("ann");
    expect(answer.status).toBe(200);
    const { conversation } = linkConversation.answer.parse(await answer.json());
    expect(conversation).toEqual({ id, externalId: "ann" });
    expect((await ann.transcript(id)).messages.map(({ body }) => body)).toContain("before");
    await ann.say(id, "after");
    const refused = await visitor.get(`/v1/support/conversations/${id}/messages`);
    expect((await problemOf(refused)).code).toBe("not_found");
  });

  test("a stream that the visitor has open ends with the link", async () => {
    const { t, visitor, id, link } = await talk();
    await t.service.settled();
    const { lastSeq } = await visitor.transcript(id);
    const reader = readEventStream(await visitor.get(`/v1/support/conversations/${id}/events`));
    await reader.until((read) => seqsOf(read).includes(lastSeq));
    const ann = await t.customer("ann");
    await link("ann");
    await ann.say(id, "after");
    expect(seqsOf(await reader.toEnd())).not.toContain(lastSeq + 1);
  });

  test("at the desk earlier messages stay unverified, later ones are the customer's, and the queue agrees", async () => {
    const { t, id, link, seen } = await talk();
    const ann = await t.customer("ann");
    expect((await seen()).linked).toBeUndefined();
    await link("ann");
    await ann.say(id, "after");
    const { linked, own, identified } = await seen();
    expect(linked).toMatchObject({ externalId: "ann" });
    expect(own).toEqual(["after"]);
    expect(identified).toBe(false);
    const [row] = await t.store.desk.listDeskConversations(t.workspace.id);
    expect(row?.linked).toEqual(linked);
  });

  test("linking again changes nothing, and nobody else gets this or any other conversation of that visitor", async () => {
    const { t, visitor, id, link, seen } = await talk();
    const next = await visitor.start();
    const ann = await t.customer("ann");
    await t.customer("bob");
    await link("ann");
    const first = await seen();
    await ann.say(id, "after");
    expect((await link("ann")).status).toBe(200);
    expect((await link("bob")).status).toBe(404);
    expect((await link("bob", "ann")).status).toBe(404);
    expect((await seen()).linked).toEqual(first.linked);
    expect((await link("bob", ANONYMOUS, next)).status).toBe(404);
    expect((await link("ann", ANONYMOUS, next)).status).toBe(200);
  });

  test.each([
    ["a customer who is not there", "nobody"],
    ["another visitor", "anon_BBBBBBBBBBBBBBBBBBBBBB"],
  ])("to %s: not found", async (_, linkedTo) => {
    const { t, link, seen } = await talk();
    await t.customer("anon_BBBBBBBBBBBBBBBBBBBBBB");
    expect((await link(linkedTo)).status).toBe(404);
    expect((await seen()).linked).toBeUndefined();
  });

  test("an identified customer's conversation, another visitor's and another workspace's can't be linked", async () => {
    const { t, id, link, seen } = await talk();
    await t.customer("ann");
    const bob = await t.customer("bob");
    const other = await t.customer("anon_BBBBBBBBBBBBBBBBBBBBBB");
    expect((await link("ann", "bob", await bob.start())).status).toBe(404);
    expect((await link("ann", ANONYMOUS, await other.start())).status).toBe(404);
    const foreign = await t.store.workspaces.create({ name: "other", publicKey: "pk_other" });
    const label = "test";
    const { credential } = await issueCredential(t.store, systemRandom, { workspaceId: foreign.id, label });
    await t.store.customers.upsert(foreign.id, { externalId: "ann" });
    await t.store.customers.upsert(foreign.id, { externalId: ANONYMOUS });
    const body = { externalId: ANONYMOUS, linkedTo: "ann" };
    expect((await linkAs(t, id, body, credential)).status).toBe(404);
    expect((await seen()).linked).toBeUndefined();
  });

  test("a session's token can't request it", async () => {
    const { t, visitor, link, seen } = await talk();
    const ann = await t.customer("ann");
    expect((await link("ann", ANONYMOUS, undefined, visitor.token)).status).toBe(401);
    expect((await link("ann", ANONYMOUS, undefined, ann.token)).status).toBe(401);
    expect((await seen()).linked).toBeUndefined();
  });

  test("an ended conversation can still be linked, so that its customer can read and rate it", async () => {
    const { t, visitor, id, link } = await talk();
    const ann = await t.customer("ann");
    await visitor.delete(`/v1/support/conversations/${id}`);
    expect((await link("ann")).status).toBe(200);
    expect((await ann.post(`/v1/support/conversations/${id}/rating`, { score: "up" })).status).toBe(200);
  });

  test("an open desk shows it at once, before the customer writes again", async () => {
    const stage = await openStage();
    try {
      const one = await stage.addWorkspace("one");
      const visitor = await one.customer(ANONYMOUS);
      const id = await visitor.start();
      const ann = await one.customer("ann");
      const { headers } = await one.person("mia@shop.example", "agent");
      const { body } = await stage.request("/desk/api/events", { headers });
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      const link = json({ externalId: ANONYMOUS, linkedTo: "ann" }, one.credential);
      expect((await stage.request(`/v1/support/conversations/${id}/link`, link)).status).toBe(200);
      await ann.say(id, "after");
      let read = "";
      while (!read.includes('"after"')) read += (await reader?.read())?.value ?? "";
      expect(read.split('"after"')[0]).toContain('"linked":{"externalId":"ann"');
      await reader?.cancel();
    } finally {
      await stage.close();
    }
  });
});
