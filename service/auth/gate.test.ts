import { describe, expect, test } from "vitest";
import { systemRandom } from "../../shared/server/random.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { issueCredential } from "../auth/credential.ts";
import { json } from "../testing/test-customer.ts";
import { openTestService, problemOf, type TestService } from "../testing/test-service.ts";

/** A request of each operation that is valid except for its credentials. */
const BODIES: Readonly<Record<string, unknown>> = {
  identify: { externalId: "x" },
  sessions: { externalId: "x" },
  providerSelection: { userID: "x" },
  supportSelection: { userID: "x" },
  conversations: {},
  handoffs: { conversationId: "conv_1" },
  turns: { clientMessageId: "k", content: { body: "x", format: "plain" } },
};

function send(t: TestService, operation: (typeof V1_CONTRACT)[number], headers: Record<string, string>) {
  const body = BODIES[operation.id];
  return t.request(operation.path.replace(":id", "conv_1"), {
    method: operation.method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe("authentication fails closed", () => {
  test("without credentials the refusal says what each kind of caller must send", async () => {
    const t = await openTestService();
    const details = V1_CONTRACT.map(async (operation) => {
      const { detail } = await problemOf(await send(t, operation, {}));
      return [operation.id, /application credential/.test(detail), /session/i.test(detail)];
    });
    expect(await Promise.all(details)).toEqual(
      V1_CONTRACT.map(({ id, auth }) => [id, auth === "application", auth === "session"]),
    );
  });

  test.each(V1_CONTRACT)("$id refuses a caller without valid credentials", async (operation) => {
    const t = await openTestService();
    const other = await t.addWorkspace("two");
    const ann = await t.customer("ann");
    const expired = (await t.customer("old")).token;
    t.clock.advance(901_000);
    const live = (await t.customer("ann")).token;
    const revoked = await issueCredential(t.store, systemRandom, {
      workspaceId: t.workspace.id,
      label: "gone",
    });
    await t.store.credentials.revoke(t.workspace.id, revoked.record.id);
    const wrongKind = operation.auth === "session" ? t.workspace.credential : live;
    const right = operation.auth === "session" ? live : t.workspace.credential;
    const states: Record<string, string>[] = [
      {},
      { authorization: "" },
      { authorization: "Bearer" },
      { authorization: "Bearer " },
      { authorization: "Bearer x" },
      { authorization: right },
      { authorization: `Basic ${right}` },
      { authorization: `Bearer ${right}x` },
      { authorization: `Bearer ${wrongKind}` },
      { authorization: `Bearer ${expired}` },
      { authorization: `Bearer ${ann.token}` },
      { authorization: `Bearer ${revoked.credential}` },
      { authorization: `Bearer ${right}`, "x-public-key": other.publicKey },
      { authorization: `Bearer ${right}`, "x-public-key": "" },
    ];
    for (const headers of states) {
      const answer = await send(t, operation, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    const passed = await send(t, operation, {
      authorization: `Bearer ${right}`,
      "x-public-key": t.workspace.publicKey,
    });
    expect(passed.status).not.toBe(401);
  });

  test("a store that can't be read lets nobody in", async () => {
    const t = await openTestService();
    const broken = await openTestService({
      store: {
        ...t.store,
        credentials: { ...t.store.credentials, findWorkspace: () => Promise.reject(new Error("canary")) },
      },
    });
    const answer = await broken.request(
      "/v1/customers/identify",
      json({ externalId: "x" }, t.workspace.credential),
    );
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("canary");
  });
});

describe("application credentials", () => {
  test("two can be valid at once, so that a rotation causes no gap; a third is refused", async () => {
    const t = await openTestService();
    const give = () => issueCredential(t.store, systemRandom, { workspaceId: t.workspace.id, label: "x" });
    const second = await give();
    await expect(give()).rejects.toMatchObject({ code: "bad_request" });
    for (const credential of [t.workspace.credential, second.credential]) {
      const answer = await t.request("/v1/customers/identify", json({ externalId: "x" }, credential));
      expect(answer.status).toBe(200);
    }
  });

  test("a rotation leaves only the new credential and the newest old one valid", async () => {
    const t = await openTestService();
    const given = { workspaceId: t.workspace.id, label: "command line" };
    t.clock.advance(1);
    const second = await issueCredential(t.store, systemRandom, given);
    t.clock.advance(1);
    const third = await issueCredential(t.store, systemRandom, { ...given, ends: "older" });
    const statuses = await Promise.all(
      [t.workspace.credential, second.credential, third.credential].map(async (credential) => {
        const answer = await t.request("/v1/customers/identify", json({ externalId: "x" }, credential));
        return answer.status;
      }),
    );
    expect(statuses).toEqual([401, 200, 200]);
  });

  test("the database holds no credential, only its hash", async () => {
    const t = await openTestService();
    await t.close();
    const { readFileSync } = await import("node:fs");
    const file = readFileSync(t.path).toString("latin1");
    expect(file).toContain(t.workspace.publicKey);
    expect(file).not.toContain(t.workspace.credential.slice(-20));
  });

  test("no log entry contains a credential, a token or message text", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "canary-text");
    await t.service.settled();
    await t.request(
      "/v1/customers/identify",
      json({ externalId: "x", email: "canary@x" }, t.workspace.credential),
    );
    expect((await problemOf(await ann.get("/v1/support/conversations/canary-id/messages"))).code).toBe(
      "not_found",
    );
    const log = t.log.text();
    expect(log).toContain("/v1/support/conversations/:id/turns");
    for (const secret of [ann.token, t.workspace.credential, "canary"]) expect(log).not.toContain(secret);
  });
});
