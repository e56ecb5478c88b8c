import { describe, expect, it } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import type { Change, Store } from "../store/store.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createGivenKeys } from "./key-ring.ts";
import { parseKeySet } from "./key-set.ts";
import { hostileTokens } from "./testing/hostile-tokens.ts";
import { createTestSite } from "./testing/site-keys.ts";
import { createVerifyToken } from "./verify-token.ts";

/** Only the identity, as for a session that can be started. */
const proving = (verify: ReturnType<typeof createVerifyToken>) => (token: string) =>
  verify(token, async (proven) => proven);

async function openVerifier(keySet?: string) {
  const clock = createTestClock();
  const site = createTestSite(() => clock.now());
  const parsed = parseKeySet(keySet ?? site.keySet);
  if (parsed.faults.length > 0) throw new Error(parsed.faults.join(" "));
  const keys = createGivenKeys(parsed.keys);
  const real = createSqliteStore(":memory:", { clock });
  const written: Change[] = [];
  const store: Pick<Store, "write"> = {
    write(changes) {
      written.push(...changes);
      return real.write(changes);
    },
  };
  const verify = proving(createVerifyToken({ keys, store, siteId: "parley", clock }));
  const codeOf = (token: string) =>
    verify(token).then(
      () => "accepted",
      (error: unknown) => (error instanceof Failure ? error.code : `threw ${String(error)}`),
    );
  return { clock, site, written, verify, codeOf };
}

describe("an identity token", () => {
  it.each(["hmac", "ec", "ed"] as const)("is accepted if a valid key signed it (%s)", async (kid) => {
    const { site, verify } = await openVerifier();
    const claims = {
      name: "Ann",
      email: "ann@example.com",
      email_verified: true,
      locale: "de-AT",
      traits: { plan: "pro", seats: 3, trial: false, since: null },
    };
    await expect(verify(site.token({ kid, claims }))).resolves.toEqual({
      externalId: "customer-42",
      displayName: "Ann",
      email: "ann@example.com",
      emailVerified: true,
      locale: "de-AT",
      traits: claims.traits,
      kid,
    });
  });

  it("may carry a typ, and claims that are not documented", async () => {
    const { site, codeOf } = await openVerifier();
    for (const typ of ["JWT", "jwt", "chat-id+jwt"])
      expect(await codeOf(site.token({ header: { typ } }))).toBe("accepted");
    expect(await codeOf(site.token({ claims: { iss: "https://shop.example", scope: "chat" } }))).toBe(
      "accepted",
    );
  });

  it("may name several audiences if one of them is this site", async () => {
    const { site, codeOf } = await openVerifier();
    expect(await codeOf(site.token({ claims: { aud: ["other", "parley"] } }))).toBe("accepted");
  });

  it("an e-mail address without email_verified is not verified", async () => {
    const { site, verify } = await openVerifier();
    const email = "ann@example.com";
    expect((await verify(site.token({ claims: { email } }))).emailVerified).toBe(false);
    expect((await verify(site.token({ claims: { email_verified: true } }))).emailVerified).toBe(false);
  });
});

describe("hostile tokens", async () => {
  const opened = await openVerifier();
  const table = hostileTokens(opened.site, opened.clock.now());

  it("are at least 80, each with its own name", () => {
    expect(table.length).toBeGreaterThanOrEqual(80);
    expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
  });

  it.each(table)("$name → $code", async ({ token, code }) => {
    expect(await opened.codeOf(token)).toBe(code);
  });

  it("a refused token never uses its jti", () => {
    expect(opened.written).toEqual([]);
  });

  it("an untampered token is accepted (control)", async () => {
    expect(await opened.codeOf(opened.site.token())).toBe("accepted");
  });
});

describe("the times of a token at their limits", () => {
  const at = (iat: number, exp: number) => ({ iat, exp });
  it.each([
    ["expired 59 s ago", at(-300, -59), "accepted"],
    ["expired 60 s ago", at(-300, -60), "identity_expired"],
    ["expired 61 s ago", at(-300, -61), "identity_expired"],
    ["expires now", at(-300, 0), "accepted"],
    ["expires in a second", at(0, 1), "accepted"],
    ["issued in 59 s", at(59, 300), "accepted"],
    ["issued in 60 s", at(60, 300), "accepted"],
    ["issued in 61 s", at(61, 300), "identity_clock_skew"],
    ["lives 899 s", at(0, 899), "accepted"],
    ["lives 900 s", at(0, 900), "accepted"],
    ["lives 901 s", at(0, 901), "identity_missing_claim"],
    ["lives 900 s, in its last second", at(-959, -59), "accepted"],
    ["lives 900 s, a second too late", at(-960, -60), "identity_expired"],
    ["lives 1 s", at(0, 1), "accepted"],
    ["lives 0 s", at(0, 0), "identity_missing_claim"],
  ])("%s", async (_name, { iat, exp }, outcome) => {
    const { clock, site, codeOf } = await openVerifier();
    const now = Math.floor(clock.now() / 1000);
    expect(await codeOf(site.token({ claims: { iat: now + iat, exp: now + exp } }))).toBe(outcome);
  });
});

describe("a token works once", () => {
  it("the second use is refused, and its jti is stored until the token has expired everywhere", async () => {
    const { site, codeOf, written } = await openVerifier();
    const token = site.token();
    expect(await codeOf(token)).toBe("accepted");
    expect(await codeOf(token)).toBe("identity_replayed");
    expect(written[0]).toMatchObject({ value: "1", lifeMs: 360_000 + 600_000 });
  });

  it("a used token is refused even if another process's clock is minutes slow", async () => {
    const clock = createTestClock();
    const site = createTestSite(() => clock.now());
    const parsed = parseKeySet(site.keySet);
    if (parsed.faults.length > 0) throw new Error(parsed.faults.join(" "));
    const keys = createGivenKeys(parsed.keys);
    // A shared store lets keys expire by its own time, after the lifetime that the writing process gave.
    const store = createSqliteStore(":memory:", { clock });
    const processAt = (aheadMs: number) => {
      const now = () => clock.now() + aheadMs;
      return proving(createVerifyToken({ keys, store, siteId: "parley", clock: { ...clock, now } }));
    };
    const [ahead, behind] = [processAt(240_000), processAt(-240_000)];
    const token = site.token();
    await expect(ahead(token)).resolves.toMatchObject({ externalId: "customer-42" });
    for (let minute = 0; minute < 15; minute += 1) {
      await expect(behind(token)).rejects.toMatchObject({
        code: expect.stringMatching(/replayed|expired|skew/),
      });
      await clock.advance(60_000);
    }
  });

  it("another token with the same jti is refused, whichever customer it names", async () => {
    const { site, codeOf } = await openVerifier();
    expect(await codeOf(site.token({ claims: { jti: "once" } }))).toBe("accepted");
    expect(await codeOf(site.token({ kid: "ec", claims: { jti: "once", sub: "b" } }))).toBe(
      "identity_replayed",
    );
  });
});

describe("without keys", () => {
  it("every token is refused as identity_unknown_kid", async () => {
    const clock = createTestClock();
    const store = createSqliteStore(":memory:", { clock });
    const verify = proving(createVerifyToken({ keys: undefined, store, siteId: "parley", clock }));
    await expect(verify(createTestSite(() => clock.now()).token())).rejects.toMatchObject({
      code: "identity_unknown_kid",
    });
  });
});
