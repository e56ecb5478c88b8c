import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import type { SessionState } from "../../shared/api/session.ts";
import { createTestSite } from "../identity/testing/site-keys.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { createTestBff } from "../testing/test-bff.ts";
import { createWho } from "./request-context.ts";

const site = createTestSite(() => Date.now());

/** The `who` of the last entry of a BFF on this store, after a request of the customer `ann`. */
async function whoOfAnn(store = createSqliteStore(":memory:")): Promise<string> {
  const service = createFakeService();
  const bff = createTestBff({ service, store, env: { IDENTITY_KEYS: site.keySet } });
  const answer = await bff.post("/api/session", { token: site.token({ claims: { sub: "ann" } }) });
  const { token } = (await answer.json()) as SessionState;
  await bff.post("/api/session", {}, token);
  return (JSON.parse(bff.lines.at(-1) ?? "") as { who: string }).who;
}

describe("the field who of the log", () => {
  it("is the same for one customer in all sessions and processes on one store", async () => {
    const store = createSqliteStore(":memory:");
    const who = await whoOfAnn(store);
    expect(who).toMatch(/^[\w-]{12}$/);
    expect(await whoOfAnn(store)).toBe(who);
  });

  it("can't be computed from the customer's id: it depends on a random key of the store", async () => {
    const who = await whoOfAnn();
    expect(await whoOfAnn(), "another deployment").not.toBe(who);
    expect(who).not.toBe(createHash("sha256").update("ann").digest("base64url").slice(0, 12));
  });

  it("has one key where two processes start at once", async () => {
    const store = createSqliteStore(":memory:");
    const who = [createWho(store, randomBytes), createWho(store, randomBytes)];
    const [one, other] = await Promise.all(who.map(async (name) => name({ externalId: "ann" })));
    expect(one).toBe(other);
    expect(await createWho(store, randomBytes)({ externalId: "ben" })).not.toBe(one);
  });
});
