import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CSRF_HEADER } from "../../shared/desk.ts";
import { problemOf } from "../testing/test-service.ts";
import { SESSION_IDLE_MS, SESSION_MS } from "./desk-sessions.ts";
import { createPasswordHasher } from "./password.ts";
import { createDeskBench, type DeskBench, PASSWORD, signedIn } from "./testing/desk-bench.ts";

const MINUTE = 60_000;
let bench: DeskBench;
let workspaceId: string;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
});

afterEach(() => bench.close());

const login = (body: object, headers: object = {}) => bench.call("POST", "login", { body, headers });

describe("sign-in", () => {
  const right = { email: "ada@shop.example", password: PASSWORD };

  it("an e-mail address that no account can have is refused before it is counted, so nobody fills the memory", async () => {
    const email = `${"a".repeat(30_000)}@shop.example`;
    for (let times = 0; times < 25; times += 1) {
      const { code, detail } = await problemOf(await login({ email, password: "wrong wrong wrong" }));
      expect([code, detail]).toEqual(["bad_request", expect.stringContaining("email")]);
    }
  });

  it("the cookie has every protective attribute, and only its hash is stored", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const response = await login(right);
    const [cookie = "", ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair = "", ...attributes] = cookie.split("; ");
    const [name, token = ""] = pair.split("=");
    expect(name).toBe("__Host-parley-desk");
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(attributes.sort()).toEqual(["HttpOnly", "Path=/", "SameSite=Strict", "Secure"]);
    expect(await bench.store.deskAccounts.findSession(token)).toBeUndefined();
    expect(await response.text()).not.toContain(token);
  });

  it("the address may be in capitals; the answer contains the session's fields and no others", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const response = await login({ ...right, email: "ADA@Shop.Example" });
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = (await response.json()) as { user: object };
    expect(Object.keys(body).sort()).toEqual(["csrf", "user"]);
    expect(Object.keys(body.user).sort()).toEqual(["email", "id", "name", "role"]);
  });

  it("a wrong password and an unknown address get the same answer", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const wrong = await problemOf(await login({ ...right, password: "wrong wrong wrong" }));
    const unknown = await problemOf(
      await login({ email: "bob@shop.example", password: "wrong wrong wrong" }),
    );
    expect(wrong).toEqual(unknown);
    expect(wrong).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  it("ten wrong passwords lock the account for that address for a while, with the time to wait", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await login({ ...right, password: "wrong wrong wrong" })).status).toBe(401);
    }
    const limited = await login(right);
    expect(limited.headers.get("retry-after")).toBe("900");
    expect(await problemOf(limited)).toMatchObject({ status: 429, code: "rate_limited" });
    bench.clock.advance(15 * MINUTE);
    expect((await login(right)).status).toBe(200);
  });

  it("DESK9 strangers anywhere can't lock out a person who knows the password, at home or at a new address", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const home = bench.from.address;
    const answers: number[] = [];
    for (let attempt = 0; attempt < 300; attempt += 1) {
      bench.from.address = `198.51.${attempt % 40}.7`;
      answers.push((await login({ ...right, password: "wrong wrong wrong" })).status);
      bench.clock.advance(1000);
    }
    // The first of each of 40 addresses, then 1, 2, 4, 8, 16 s apart, then one in half a minute.
    expect(answers.filter((status) => status === 401).length).toBeLessThan(60);
    for (const address of [home, home, "203.0.113.9", "203.0.113.9"]) {
      bench.from.address = address;
      expect((await login(right)).status).toBe(200);
    }
    bench.from.address = "203.0.113.10";
    expect((await login({ ...right, password: "a slip of the hand" })).status).toBe(401);
    const waits = Number((await login(right)).headers.get("retry-after"));
    expect(waits).toBeGreaterThan(0);
    expect(waits).toBeLessThanOrEqual(30);
    // Retrying too early is not a failure.
    for (let early = 0; early < 20; early += 1) expect((await login(right)).status).toBe(429);
    bench.clock.advance(waits * 1000);
    expect((await login(right)).status).toBe(200);
  });

  it("nobody waits longer because the machine's clock was set back", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const attempt = async (password: string) => (await login({ ...right, password })).status;
    for (let n = 0; n < 12; n += 1) {
      bench.from.address = `198.51.100.${n}`;
      await attempt("wrong wrong wrong");
    }
    expect(await attempt(right.password), "control").toBe(429);
    bench.clock.advance(-10 * MINUTE);
    expect(await attempt(right.password)).toBe(200);
  });

  it("a missing account is held up like an existing one", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const statuses = async (email: string) => {
      const seen: number[] = [];
      for (let attempt = 0; attempt < 24; attempt += 1) {
        bench.from.address = `2001:db8:${email.length}:${attempt >> 1}00::1`;
        seen.push((await login({ email, password: "wrong wrong wrong" })).status);
      }
      return seen;
    };
    const there = await statuses("ada@shop.example");
    expect(there).toContain(429);
    expect(await statuses("nobody.here@shop.example")).toEqual(there);
  });

  it("an address that tries many accounts is stopped after twenty failures, also when they arrive at once", async () => {
    const guesses = Array.from({ length: 30 }, (_, n) =>
      login({ email: `user${n}@shop.example`, password: "wrong wrong wrong" }),
    );
    const statuses = (await Promise.all(guesses)).map((response) => response.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    bench.from.address = "192.0.2.77";
    expect((await login({ email: "user1@shop.example", password: "x" })).status).toBe(401);
  });

  it("DESK9 a person who keeps trying after their limit doesn't lock out the others behind the same address", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const answers: number[] = [];
    for (let attempt = 0; attempt < 30; attempt += 1)
      answers.push((await login({ email: "bob@shop.example", password: "wrong wrong wrong" })).status);
    expect(answers).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
    expect((await login(right)).status).toBe(200);
  });

  it("DESK9 a stranger behind the same address doesn't lock out a person who signed in there before", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const guess = (n: number) => login({ email: `user${n}@shop.example`, password: "wrong wrong wrong" });
    for (let n = 0; n < 20; n += 1) expect((await guess(n)).status).toBe(401);
    expect((await guess(20)).status, "control").toBe(429);
    expect((await login(right)).status).toBe(200);
  });

  it("an attempt that is refused because of its address is not a failure of the account", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    bench.from.address = "203.0.113.9";
    for (let n = 0; n < 20; n += 1)
      await login({ email: `user${n}@shop.example`, password: "wrong wrong wrong" });
    bench.clock.advance(10 * 60_000);
    for (let early = 0; early < 12; early += 1) expect((await login(right)).status).toBe(429);
    bench.clock.advance(5 * 60_000);
    expect((await login(right)).status).toBe(200);
  });

  it("DESK9 an attempt that a flood of strangers keeps from being checked is not a failure", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const home = bench.from.address;
    let strangers = 0;
    Object.defineProperty(bench.from, "address", {
      get: () => (strangers < 22 ? `198.51.${strangers++}.7` : home),
    });
    const flood = Array.from({ length: 22 }, () => login({ ...right, password: "wrong wrong wrong" }));
    const refused = await Promise.all(Array.from({ length: 10 }, () => login(right)));
    expect(refused.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
      Array(10).fill([429, "5"]),
    );
    await Promise.all(flood);
    expect((await login(right)).status).toBe(200);
  });

  it("right passwords are never counted as attempts", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    for (let times = 0; times < 25; times += 1) expect((await login(right)).status).toBe(200);
  });

  it("sign-in, failure and sign-out are in the audit log, without a password", async () => {
    const entries: { action: string }[] = [];
    const { deskAccounts } = bench.store;
    const audit = deskAccounts.audit.bind(deskAccounts);
    bench.store.deskAccounts.audit = (entry) => {
      entries.push(entry);
      return audit(entry);
    };
    const as = await bench.signIn(workspaceId, "ada@shop.example");
    await login({ ...right, password: "wrong wrong wrong" });
    await bench.call("POST", "logout", { as });
    expect(entries.map((entry) => entry.action)).toEqual(["desk.login", "desk.login_failed", "desk.logout"]);
    expect(JSON.stringify(entries)).not.toMatch(/wrong|ada@/);
    expect(bench.log.text()).not.toMatch(/wrong|ada@|unrelated/);
  });

  it("a wrong password is answered like an unknown address while another process locks the database", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const other = new DatabaseSync(bench.path);
    other.exec("BEGIN IMMEDIATE");
    const wrong = await login({ ...right, password: "wrong wrong wrong" });
    const unknown = await login({ ...right, email: "bob@shop.example" });
    other.close();
    expect(await problemOf(wrong)).toEqual(await problemOf(unknown));
    await bench.store.probe();
    const entries = await bench.store.deskPeople.readAudit(workspaceId, undefined, 1);
    expect(entries[0]?.action).toBe("desk.login_failed");
  });

  it("DESK9 an account with the same address in another workspace allows no further guesses", async () => {
    await bench.signIn(workspaceId, "ada@shop.example");
    const other = (await bench.addWorkspace("other")).id;
    const passwordHash = await createPasswordHasher({ N: 2, r: 1, p: 1 }).hash("of the other one");
    await bench.store.deskAccounts.addUser({
      workspaceId: other,
      email: "ada@shop.example",
      name: "Mallory",
      passwordHash,
      role: "admin",
    });
    bench.from.address = "203.0.113.9";
    const statuses: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      statuses.push((await login({ ...right, password: "wrong wrong wrong" })).status);
      statuses.push((await login({ ...right, password: "of the other one" })).status);
    }
    expect(statuses).toEqual([...Array(5).fill([401, 200]).flat(), 429, 429]);
  });

  it("an account of each workspace signs in to its own", async () => {
    const other = (await bench.addWorkspace("other")).id;
    await bench.signIn(workspaceId, "ada@shop.example");
    const as = await bench.signIn(other, "bob@other.example");
    const { id } = await bench.waitingConversation(other);
    const queue = (await (await bench.call("GET", "conversations", { as })).json()) as {
      conversations: { id: string }[];
    };
    expect(queue.conversations.map((conversation) => conversation.id)).toEqual([id]);
  });
});

describe("a session", () => {
  const alive = async (as: { cookie: string; csrf: string }) =>
    (await bench.call("GET", "session", { as })).status === 200;

  it("is invalid on the server after sign-out, even if the cookie was copied", async () => {
    const as = await bench.signIn(workspaceId, "ada@shop.example");
    const response = await bench.call("POST", "logout", { as });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-parley-desk=; .*Max-Age=0$/);
    expect(await problemOf(await bench.call("GET", "session", { as }))).toMatchObject({
      code: "session_expired",
    });
    expect((await bench.call("POST", "logout", { as })).status).toBe(401);
  });

  it("ends after two hours without activity, and continues with activity", async () => {
    const as = await bench.signIn(workspaceId, "ada@shop.example");
    bench.clock.advance(SESSION_IDLE_MS - MINUTE);
    expect(await alive(as)).toBe(true);
    bench.clock.advance(SESSION_IDLE_MS - MINUTE);
    expect(await alive(as)).toBe(true);
    bench.clock.advance(SESSION_IDLE_MS);
    expect(await alive(as)).toBe(false);
  });

  it("ends after twelve hours, however busy", async () => {
    const as = await bench.signIn(workspaceId, "ada@shop.example");
    for (let passed = 0; passed < SESSION_MS - 60 * MINUTE; passed += 60 * MINUTE) {
      bench.clock.advance(60 * MINUTE);
      expect(await alive(as)).toBe(true);
    }
    bench.clock.advance(60 * MINUTE);
    expect(await alive(as)).toBe(false);
  });

  it("a reloaded page gets the same CSRF token, another session another", async () => {
    const as = await bench.signIn(workspaceId, "ada@shop.example");
    const again = (await (await bench.call("GET", "session", { as })).json()) as { csrf: string };
    expect(again.csrf).toBe(as.csrf);
    const other = await signedIn(await login({ email: "ada@shop.example", password: PASSWORD }));
    expect(other.csrf).not.toBe(as.csrf);
    const crossed = { cookie: as.cookie, csrf: other.csrf };
    expect((await bench.call("POST", "logout", { as: crossed })).status).toBe(403);
  });

  it.each([
    ["garbage", "__Host-parley-desk=x"],
    ["a name without the prefix", `parley-desk=${"a".repeat(43)}`],
    ["an unknown token", `__Host-parley-desk=${"a".repeat(43)}`],
    ["an injection", "__Host-parley-desk=' or 1=1 --"],
  ])("%s does not authenticate", async (_, cookie) => {
    const headers = { cookie, [CSRF_HEADER]: "x" };
    for (const path of ["session", "conversations", "events"]) {
      expect((await bench.call("GET", path, { headers })).status).toBe(401);
    }
    expect((await bench.call("POST", "logout", { headers })).status).toBe(401);
  });

  it("a store that is down authenticates nobody", async () => {
    const as = await bench.signIn(workspaceId, "ada@shop.example");
    bench.store.deskAccounts.findSession = () => Promise.reject(new Error("CANARY the disk is gone"));
    const response = await bench.call("GET", "conversations", { as });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("CANARY");
  });
});
