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
  test("creates a customer and returns the externalId that was sent", async () => {
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

  test("without the credential, or with a wrong one, it asks for the application credential and not for a session", async () => {
    const t = await openTestService();
    for (const credential of ["", "sk_wrong"]) {
      const answer = await identifyAs(t, { externalId: "x" }, credential);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({
        code: "unauthenticated",
        detail: "Send the application credential.",
      });
    }
  });

  test("addresses the same profile on each later call and keeps fields that are not sent again", async () => {
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

  test("a site that renames its traits over time is never refused: the newest names stay", async () => {
    const t = await openTestService();
    const named = (from: number, count: number) =>
      Object.fromEntries([...Array(count).keys()].map((n) => [`k${from + n}`, from + n]));
    const namesAfter = async (attributes: Record<string, number>) => {
      expect((await identifyAs(t, { externalId: "x", attributes })).status).toBe(200);
      const conversationId = await (await t.customer("x")).start();
      const seen = await t.store.desk.readDeskConversation({ workspaceId: t.workspace.id, conversationId });
      return seen?.customer.traits;
    };
    await namesAfter(named(0, 30));
    expect(await namesAfter(named(100, 30))).toEqual({ ...named(10, 20), ...named(100, 30) });
    expect(await namesAfter({ k10: 10 })).toEqual({ ...named(10, 20), ...named(100, 30) });
    expect(await namesAfter({ last: 1 })).toEqual({ k10: 10, ...named(12, 18), ...named(100, 30), last: 1 });
    expect(await namesAfter(named(200, 50))).toEqual(named(200, 50));
  });

  test("two customers with the same e-mail address stay two", async () => {
    const t = await openTestService();
    const one = await (await identifyAs(t, { externalId: "1", email: "same@example.com" })).json();
    const two = await (await identifyAs(t, { externalId: "2", email: "same@example.com" })).json();
    expect(one.customer.id).not.toBe(two.customer.id);
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

  test("reports the invalid fields, and no values", async () => {
    const t = await openTestService();
    const { detail } = await problemOf(
      await identifyAs(t, { externalId: "x", email: "canary-value", displayName: "" }),
    );
    expect(detail).toContain("email");
    expect(detail).toContain("displayName");
    expect(detail).not.toContain("canary-value");
  });
});

describe("sessions", () => {
  test("return a token with its lifetime and bind the customer", async () => {
    const t = await openTestService();
    const answer = await t.request(SESSIONS, json({ externalId: "anon_1" }, t.workspace.credential));
    expect(answer.status).toBe(201);
    const { token, expiresIn } = sessions.answer.parse(await answer.json());
    expect(expiresIn).toBe(900);
    const payload = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(payload).toMatchObject({ workspaceId: t.workspace.id, externalId: "anon_1" });
  });

  test("a visitor without a site's proof is shown as not identified", async () => {
    const t = await openTestService();
    const id = await (await t.customer("anon_1")).start();
    const seen = await t.store.desk.readDeskConversation({ workspaceId: t.workspace.id, conversationId: id });
    expect(seen?.customer.identified).toBe(false);
  });
});
