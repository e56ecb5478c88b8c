import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DeskAuditPage, DeskLinkMade, DeskPerson, type DeskQueuePage, LinkOffer } from "../../shared/desk.ts";
import { LINK_MS } from "./people.ts";
import { createDeskBench, type DeskBench, PASSWORD, type SignedIn, signedIn } from "./testing/desk-bench.ts";

const OTHER_PASSWORD = "seven quiet harbour stones";
const BEN = { email: "Ben@shop.example", name: "Ben", role: "agent" };

let bench: DeskBench;
let workspaceId: string;
let admin: SignedIn;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
  admin = await bench.signIn(workspaceId, "ada@shop.example", "admin");
});

afterEach(() => bench.close());

const post = (path: string, as?: SignedIn, body: object = {}) => bench.call("POST", path, { as, body });
const get = (path: string, as?: SignedIn) => bench.call("GET", path, { as });
const join = (token: string, password = OTHER_PASSWORD) => post("join", undefined, { token, password });
const login = (email: string, password: string) => post("login", undefined, { email, password });

async function made(response: Response): Promise<DeskLinkMade> {
  expect(response.status).toBe(201);
  return DeskLinkMade.parse(await response.json());
}
async function people(): Promise<DeskPerson[]> {
  const { users } = (await (await get("users", admin)).json()) as { users: unknown[] };
  return users.map((user) => DeskPerson.parse(user));
}
async function codeOf(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code: string };
  return `${response.status} ${code}`;
}
const invite = async (more: object = {}) => made(await post("users", admin, { ...BEN, ...more }));
async function joined(more: object = {}): Promise<{ id: string; as: SignedIn }> {
  const { token, person } = await invite(more);
  return { id: person.id, as: await signedIn(await join(token)) };
}
const isIn = async (as: SignedIn) => (await get("session", as)).status === 200;

describe("an invitation", () => {
  it("DESK3 gives a link once; the invited person sees whose account it is, chooses a password and is signed in", async () => {
    const { person, token, expiresAt } = await invite();
    expect(person).toMatchObject({
      email: "ben@shop.example",
      name: "Ben",
      role: "agent",
      state: "invited",
    });
    expect(Date.parse(expiresAt) - bench.clock.now()).toBe(LINK_MS);
    const offer = LinkOffer.parse(await (await post("link", undefined, { token })).json());
    expect(offer).toEqual({ purpose: "invite", email: "ben@shop.example", name: "Ben" });
    const answer = await join(token);
    expect(answer.status).toBe(201);
    const as = await signedIn(answer);
    expect((await people()).find(({ id }) => id === person.id)).toEqual({
      ...offerless(person),
      state: "active",
    });
    expect(await isIn(as)).toBe(true);
    expect((await login("ben@shop.example", OTHER_PASSWORD)).status).toBe(200);
    expect(await codeOf(await join(token))).toBe("403 forbidden");
    expect(await codeOf(await post("link", undefined, { token }))).toBe("403 forbidden");
  });

  it("only the hash of its secret is stored, and no list, log or audit entry contains it", async () => {
    const { token } = await invite();
    const said = [
      JSON.stringify(await people()),
      await (await get("audit", admin)).text(),
      bench.log.text(),
    ].join("\n");
    expect(said).not.toContain(token);
    expect(await bench.store.deskPeople.findLink(token)).toBeUndefined();
  });

  it("before it is used, nothing opens the account, not even an empty password", async () => {
    await invite();
    for (const password of ["", "''", "undefined", "null", PASSWORD]) {
      expect((await login("ben@shop.example", password)).status).toBe(401);
    }
  });

  it("when two people use one link at once, one is signed in", async () => {
    const { token } = await invite();
    const answers = await Promise.all([join(token), join(token), join(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403, 403]);
  });

  it("expires after a day, and is replaced by a newer one", async () => {
    const first = await invite();
    const second = await made(await post(`users/${first.person.id}/link`, admin));
    expect(await codeOf(await join(first.token))).toBe("403 forbidden");
    bench.clock.advance(LINK_MS);
    expect(await codeOf(await join(second.token))).toBe("403 forbidden");
  });

  it("a weak password is refused with a sentence, and the link stays valid", async () => {
    const { token } = await invite();
    for (const password of ["short", "password1234", "ben@shop.example"]) {
      expect((await join(token, password)).status).toBe(400);
    }
    expect((await join(token)).status).toBe(201);
  });

  it("guessing secrets is stopped after twenty attempts", async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const guess = attempt % 2 ? join("x".repeat(43)) : post("link", undefined, { token: "x".repeat(43) });
      expect((await guess).status).toBe(403);
    }
    expect((await join("x".repeat(43))).status).toBe(429);
  });

  it.each([
    ["an address that has an account", { email: "ADA@shop.example" }],
    ["no role", { role: undefined }],
    ["a role that is none", { role: "owner" }],
    ["a foreign workspace", { workspaceId: "ws_other" }],
    ["a password", { password: OTHER_PASSWORD }],
    ["a name of two lines", { name: "a\nb" }],
  ])("%s is refused", async (_, more) => {
    expect((await post("users", admin, { ...BEN, ...more })).status).toBe(400);
    expect(await people()).toHaveLength(1);
  });
});

describe("what an admin does to an account", () => {
  it("DESK4 disabling revokes its sessions, streams and password at once; enabling restores access", async () => {
    const ben = await joined();
    const stream = await get("events", ben.as);
    const reader = stream.body?.getReader();
    await reader?.read();
    const answer = await post(`users/${ben.id}/disable`, admin);
    expect(await answer.json()).toMatchObject({ user: { id: ben.id, state: "disabled" } });
    expect(await isIn(ben.as)).toBe(false);
    expect((await reader?.read())?.done).toBe(true);
    expect(await codeOf(await login("ben@shop.example", OTHER_PASSWORD))).toBe("401 unauthenticated");
    expect((await post(`users/${ben.id}/enable`, admin)).status).toBe(200);
    expect(await isIn(ben.as)).toBe(false);
    expect((await login("ben@shop.example", OTHER_PASSWORD)).status).toBe(200);
  });

  it("DESK4 the customers of a disabled person are waiting again, and learn no more than that", async () => {
    const ben = await joined();
    const { id, owner } = await bench.waitingConversation(workspaceId);
    await post(`conversations/${id}/take`, ben.as);
    await post(`users/${ben.id}/disable`, admin);
    const log = await bench.customerLog(owner, id);
    expect(log.at(-1)).toMatchObject({ type: "handoff.requested", handoff: { status: "requested" } });
    const row = (await (await get(`conversations/${id}`, admin)).json()) as { state: string };
    expect(row.state).toBe("waiting");
    expect((await post(`conversations/${id}/take`, admin)).status).toBe(200);
  });

  it("DESK4 a customer without an answer keeps their wait, and their place, when the person is disabled", async () => {
    const ben = await joined();
    const { id } = await bench.waitingConversation(workspaceId);
    const asked = new Date(bench.clock.now()).toISOString();
    bench.clock.advance(60_000);
    const { id: later } = await bench.waitingConversation(workspaceId, "customer-2");
    await post(`conversations/${id}/take`, ben.as);
    bench.clock.advance(60_000);
    await post(`users/${ben.id}/disable`, admin);
    const { conversations } = (await (await get("conversations", admin)).json()) as DeskQueuePage;
    expect(conversations.map((row) => row.id)).toEqual([id, later]);
    expect(conversations[0]?.waitingSince).toBe(asked);
  });

  it("a take in flight fails if the person is disabled meanwhile", async () => {
    const ben = await joined();
    const { id } = await bench.waitingConversation(workspaceId);
    const [, taken] = await Promise.all([
      bench.store.deskPeople.disable({ workspaceId, userId: ben.id, by: await idOf(admin) }),
      bench.store.desk
        .acceptHandoff({ workspaceId, conversationId: id }, { id: ben.id, name: "Ben" })
        .catch((error: { code: string }) => error.code),
    ]);
    expect(taken).toBe("session_expired");
  });

  it("a reset revokes password and sessions, and its link sets the next password", async () => {
    const ben = await joined();
    const { token } = await made(await post(`users/${ben.id}/link`, admin));
    expect(await isIn(ben.as)).toBe(false);
    expect((await login("ben@shop.example", OTHER_PASSWORD)).status).toBe(401);
    expect(await (await post("link", undefined, { token })).json()).toMatchObject({ purpose: "reset" });
    expect((await join(token, PASSWORD)).status).toBe(201);
    expect((await login("ben@shop.example", PASSWORD)).status).toBe(200);
  });

  it("a disabled account's link is invalid, and it gets no new one", async () => {
    const { token, person } = await invite();
    await post(`users/${person.id}/disable`, admin);
    expect(await codeOf(await join(token))).toBe("403 forbidden");
    expect(await codeOf(await post(`users/${person.id}/link`, admin))).toBe("403 forbidden");
  });

  it("DESK5 nobody can disable or reset their own account, so the last admin stays", async () => {
    const me = await idOf(admin);
    expect(await codeOf(await post(`users/${me}/disable`, admin))).toBe("403 forbidden");
    expect(await codeOf(await post(`users/${me}/link`, admin))).toBe("403 forbidden");
    expect(await isIn(admin)).toBe(true);
  });

  it("when two admins disable each other at once, one of them stays", async () => {
    const bea = await joined({ role: "admin" });
    const me = await idOf(admin);
    const answers = await Promise.all([
      post(`users/${bea.id}/disable`, admin),
      post(`users/${me}/disable`, bea.as),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).not.toEqual([200, 200]);
    expect([await isIn(admin), await isIn(bea.as)].filter(Boolean)).toHaveLength(1);
  });

  it("a person of another workspace is answered like a missing one", async () => {
    const other = (await bench.addWorkspace("other")).id;
    const foreign = await idOf(await bench.signIn(other, "eve@other.example", "admin"));
    for (const action of ["link", "disable", "enable"]) {
      const [one, two] = await Promise.all(
        [foreign, "user_missing"].map(async (id) => {
          const body = (await (await post(`users/${id}/${action}`, admin)).json()) as object;
          return { ...body, requestId: "" };
        }),
      );
      expect(one).toEqual(two);
      expect(one).toMatchObject({ status: 404, code: "not_found" });
    }
    expect(await people()).toHaveLength(1);
  });
});

describe("one's own password", () => {
  const change = (as: SignedIn, password: string, newPassword: string) =>
    post("password", as, { password, newPassword });

  it("DESK6 a change ends every other session and its streams, and keeps this one", async () => {
    const { as } = await joined();
    const elsewhere = await signedIn(await login("ben@shop.example", OTHER_PASSWORD));
    const reader = (await get("events", elsewhere)).body?.getReader();
    await reader?.read();
    expect(await (await change(as, OTHER_PASSWORD, PASSWORD)).json()).toEqual({ changed: true });
    expect(await isIn(as)).toBe(true);
    expect(await isIn(elsewhere)).toBe(false);
    expect((await reader?.read())?.done).toBe(true);
    expect((await login("ben@shop.example", OTHER_PASSWORD)).status).toBe(401);
    expect((await login("ben@shop.example", PASSWORD)).status).toBe(200);
    expect(await isIn(admin)).toBe(true);
  });

  it.each([
    ["a wrong present one", "wrong wrong wrong", PASSWORD],
    ["a weak new one", OTHER_PASSWORD, "password1234"],
    ["the same again", OTHER_PASSWORD, OTHER_PASSWORD],
  ])("%s is refused, and nothing changes", async (_, password, newPassword) => {
    const { as } = await joined();
    expect(await codeOf(await change(as, password, newPassword))).toBe("400 bad_request");
    expect((await login("ben@shop.example", OTHER_PASSWORD)).status).toBe(200);
  });

  it("at an open desk the current password can be guessed ten times, and its owner can still sign in", async () => {
    const { as } = await joined();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await change(as, "wrong wrong wrong", PASSWORD)).status).toBe(400);
    }
    expect((await change(as, OTHER_PASSWORD, PASSWORD)).status).toBe(429);
    expect((await login("ben@shop.example", OTHER_PASSWORD)).status).toBe(200);
  });

  it("a sign-in in flight fails if the password changes meanwhile", async () => {
    const user = await bench.store.deskAccounts.findUserByEmail(workspaceId, "ada@shop.example");
    if (!user) throw new Error("no account");
    await change(admin, PASSWORD, OTHER_PASSWORD);
    const now = bench.clock.now();
    const session = { hash: "h", csrfHash: "c", createdAt: now, seenAt: now, expiresAt: now + 1000 };
    const opening = bench.store.deskAccounts.addSession({
      ...session,
      userId: user.id,
      passwordHash: user.passwordHash,
    });
    await expect(opening).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("the audit log", () => {
  const page = async (before?: string) =>
    DeskAuditPage.parse(await (await get(`audit${before ? `?before=${before}` : ""}`, admin)).json());

  it("DESK8 records every action with actor and target, newest first, and no address, secret or text", async () => {
    const ben = await joined();
    await login("ben@shop.example", "wrong wrong wrong");
    await post("password", ben.as, { password: OTHER_PASSWORD, newPassword: PASSWORD });
    await post(`users/${ben.id}/link`, admin);
    await post(`users/${ben.id}/disable`, admin);
    await post(`users/${ben.id}/enable`, admin);
    const { entries, next } = await page();
    expect(entries.map(({ action, by, targetName }) => [action, by?.name, targetName])).toEqual([
      ["desk.user_enabled", "Ada", "Ben"],
      ["desk.user_disabled", "Ada", "Ben"],
      ["desk.link_renewed", "Ada", "Ben"],
      ["desk.password_changed", "Ben", "Ben"],
      ["desk.login_failed", undefined, "Ben"],
      ["desk.link_used", "Ben", "Ben"],
      ["desk.user_invited", "Ada", "Ben"],
      ["desk.login", "Ada", "Ada"],
    ]);
    expect(next).toBeUndefined();
    expect(JSON.stringify(entries)).not.toMatch(/@|wrong|unrelated|harbour/);
  });

  it("begins with the set-up itself", async () => {
    const fresh = (await bench.addWorkspace("fresh")).id;
    const token = (await bench.setupLink(fresh))?.split("#setup=")[1];
    const form = { token, email: "first@fresh.example", name: "First", password: PASSWORD };
    const as = await signedIn(await post("setup", undefined, form));
    const { entries } = DeskAuditPage.parse(await (await get("audit", as)).json());
    expect(entries.map(({ action, by }) => [action, by?.name])).toEqual([["desk.setup", "First"]]);
  });

  it("comes in pages of a hundred, each entry once", async () => {
    for (let count = 0; count < 205; count += 1) {
      const target = `user_${count}`;
      await bench.store.deskAccounts.audit({ workspaceId, userId: undefined, action: "test", target });
    }
    const first = await page();
    const second = await page(first.next);
    const third = await page(second.next);
    expect([first, second, third].map(({ entries }) => entries.length)).toEqual([100, 100, 6]);
    const ids = [first, second, third].flatMap(({ entries }) => entries.map(({ id }) => id));
    expect(new Set(ids).size).toBe(206);
    expect(third.next).toBeUndefined();
  });

  it("covers only this workspace, and refuses a foreign cursor", async () => {
    const other = (await bench.addWorkspace("other")).id;
    const eve = await bench.signIn(other, "eve@other.example", "admin");
    const theirs = DeskAuditPage.parse(await (await get("audit", eve)).json()).entries;
    expect(theirs).toHaveLength(1);
    expect((await page(theirs[0]?.id)).entries).toEqual([]);
  });

  it.each(["before=", "before=a%20b", "before=x&before=y", "before=%27%20or%201=1"])(
    "refuses %s",
    async (query) => {
      expect((await get(`audit?${query}`, admin)).status).toBe(400);
    },
  );
});

async function idOf(as: SignedIn): Promise<string> {
  return ((await (await get("session", as)).json()) as { user: { id: string } }).user.id;
}

function offerless(person: DeskPerson): DeskPerson {
  const { linkExpiresAt: _, ...rest } = person;
  return rest;
}
