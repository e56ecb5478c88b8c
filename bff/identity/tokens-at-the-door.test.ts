import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json } from "../../service/testing/fake/fake-service.ts";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { openIdentityBench } from "../testing/identity-bench.ts";
import { problemOf } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { hostileTokens } from "./testing/hostile-tokens.ts";

const HOUR_MS = 3_600_000;

describe("IDENT1 a hostile token", () => {
  it("is refused with its code at both endpoints, before any call to the service", async () => {
    const { bff, site, service, clock } = openIdentityBench();
    const { token: bearer } = await bff.startSession();
    service.seen.length = 0;
    const wrong: string[] = [];
    let count = 0;
    for (const { name, token, code } of hostileTokens(site, clock.now())) {
      // The gate refuses what can't be a token by its form, before verification.
      const expected = token === "" || token.length > 8192 ? "400 bad_request" : `401 ${code}`;
      for (const path of ["/api/session", "/api/session/identity"]) {
        count += 1;
        const answer = await bff.request("POST", path, {
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ token }),
          ...(path === "/api/session" ? {} : { token: bearer }),
          env: { incoming: { socket: { remoteAddress: `10.0.${count >> 8}.${count & 255}` } } },
        });
        const got = await problemOf(answer);
        if (got !== expected) wrong.push(`${name} at ${path}: ${got} and not ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(160);
    expect(service.seen).toEqual([]);
  });

  it("leaves no trace in the log", async () => {
    const { bff, site } = openIdentityBench();
    const token = site.token({ claims: { sub: "canary-sub", name: "canary-name", exp: 1 } });
    await bff.post("/api/session", { token });
    expect(bff.lines.join("\n")).not.toContain("canary");
    expect(bff.lines.join("\n")).not.toContain(token.slice(-20));
  });

  it("is rate limited per address", async () => {
    const { bff, site } = openIdentityBench();
    const codes = new Set<string>();
    for (let n = 0; n < 301; n += 1) {
      codes.add(
        await problemOf(await bff.post("/api/session", { token: site.token({ claims: { exp: 1 } }) })),
      );
    }
    expect([...codes]).toEqual(["401 identity_missing_claim", "429 rate_limited"]);
  });
});

describe("a token works once", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "parley-identity-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const store = (clock?: Clock) => createSqliteStore(join(directory, "bff.sqlite"), clock ? { clock } : {});

  it("exactly one of 50 concurrent uses is accepted", async () => {
    const { bff, site } = openIdentityBench();
    const token = site.token();
    const answers = await Promise.all(Array.from({ length: 50 }, () => bff.post("/api/session", { token })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = await Promise.all(answers.filter(({ status }) => status !== 201).map(problemOf));
    expect(new Set(refused)).toEqual(new Set(["401 identity_replayed"]));
    expect(refused).toHaveLength(49);
  });

  it("a token that brought no session, because the service was away, can be used again", async () => {
    const { bff, site, service } = openIdentityBench();
    service.answer("sessions", () => json({}, 503));
    const token = site.token();
    expect(await problemOf(await bff.post("/api/session", { token }))).toBe("503 support_unreachable");
    service.mend("sessions");
    expect((await bff.post("/api/session", { token })).status).toBe(201);
    expect(await problemOf(await bff.post("/api/session", { token }))).toBe("401 identity_replayed");
  });

  it("a token can be used again if the store failed between the new session and its answer", async () => {
    const held = store();
    const { bff, site } = openIdentityBench({ store: held });
    const token = site.token();
    const get = held.get.bind(held);
    let reads = 0;
    held.get = (key) =>
      key.startsWith("pointer:") && ++reads > 1 ? Promise.reject(new Failure("unavailable")) : get(key);
    expect(await problemOf(await bff.post("/api/session", { token }))).toBe("503 unavailable");
    held.get = get;
    expect((await bff.post("/api/session", { token })).status).toBe(201);
  });

  it("a used token stays used across a restart", async () => {
    const first = openIdentityBench({ store: store() });
    const token = first.site.token();
    expect((await first.bff.post("/api/session", { token })).status).toBe(201);
    await first.bff.bff.close();
    const second = openIdentityBench({ store: store(), site: first.site, clock: first.clock });
    expect(await problemOf(await second.bff.post("/api/session", { token }))).toBe("401 identity_replayed");
    expect(readFileSync(join(directory, "bff.sqlite")).toString("latin1")).not.toContain(token);
  });

  it("of 50 concurrent uses at two BFFs on one store, exactly one is accepted", async () => {
    const one = openIdentityBench({ store: store() });
    const other = openIdentityBench({ store: store(), site: one.site, clock: one.clock });
    const token = one.site.token();
    const answers = await Promise.all(
      [one, other].flatMap(({ bff }) =>
        Array.from({ length: 25 }, () => bff.post("/api/session", { token })),
      ),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
  });

  it("a jti can be reused only after its token has expired", async () => {
    const clock = createTestClock();
    const { bff, site } = openIdentityBench({ clock, store: store(clock) });
    const at = Math.floor(clock.now() / 1000);
    await bff.post("/api/session", {
      token: site.token({ claims: { iat: at, exp: at + 900, jti: "once" } }),
    });
    await clock.skip(HOUR_MS);
    const again = { iat: at + 3600, exp: at + 4000, jti: "once" };
    expect((await bff.post("/api/session", { token: site.token({ claims: again }) })).status).toBe(201);
  });

  it("a broken store refuses every token with 503", async () => {
    const broken = store();
    const { bff, site, service } = openIdentityBench({ store: broken });
    await broken.close();
    expect(await problemOf(await bff.post("/api/session", { token: site.token() }))).toBe("503 unavailable");
    expect(service.seen).toEqual([]);
  });
});
