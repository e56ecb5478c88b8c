import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DeskSession } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { problemOf } from "../testing/test-service.ts";
import { SETUP_MS } from "./set-up.ts";
import { createDeskBench, type DeskBench, PASSWORD, signedIn } from "./testing/desk-bench.ts";

let bench: DeskBench;
let workspaceId: string;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
});

afterEach(() => bench.close());

const form = (token: string, more: object = {}) => ({
  token,
  email: "Ada@shop.example",
  name: "Ada",
  password: PASSWORD,
  ...more,
});
const tokenOf = (link: string | undefined) => link?.split("#setup=")[1] ?? "";

describe("set-up", () => {
  it("there is no way in by default: no account exists, and every call needs a session", async () => {
    for (const password of ["admin", "123456", "password", "parley", ""]) {
      expect(
        (await bench.call("POST", "login", { body: { email: "admin@shop.example", password } })).status,
      ).toBe(401);
    }
    for (const path of ["session", "conversations", "conversations/x", "events", "users", "anything"]) {
      expect(await problemOf(await bench.call("GET", path))).toMatchObject({
        status: 401,
        code: "unauthenticated",
      });
    }
    for (const path of ["logout", "conversations/x/take", "conversations/x/resolve", "users", "anything"]) {
      expect((await bench.call("POST", path)).status).toBe(401);
    }
  });

  it("the link creates the first admin once, signs in, and stops working", async () => {
    const link = await bench.setupLink(workspaceId);
    expect(link).toMatch(/^http:\/\/desk\/desk#setup=[A-Za-z0-9_-]{43}$/);
    const response = await bench.call("POST", "setup", { body: form(tokenOf(link)) });
    expect(response.status).toBe(201);
    const session = DeskSession.parse(await response.clone().json());
    expect(session.user).toMatchObject({ email: "ada@shop.example", name: "Ada", role: "admin" });
    const as = await signedIn(response);
    expect((await bench.call("GET", "session", { as })).status).toBe(200);
    const again = await bench.call("POST", "setup", {
      body: form(tokenOf(link), { email: "eve@shop.example" }),
    });
    expect(await problemOf(again)).toMatchObject({ status: 403, code: "forbidden" });
    expect(await bench.setupLink(workspaceId)).toBeUndefined();
  });

  it("STORE1 a link that a full disk can't store is logged, and is not returned", async () => {
    bench.store.deskAccounts.replaceSetup = () => Promise.reject(new Failure("storage_full"));
    expect(await bench.setupLink(workspaceId)).toBeUndefined();
    expect(bench.log.text()).toContain("the link for the desk's first sign-in could not be stored");
  });

  it("when two people use one link at once, one admin is created", async () => {
    const token = tokenOf(await bench.setupLink(workspaceId));
    const answers = await Promise.all(
      ["a", "b", "c"].map((name) =>
        bench.call("POST", "setup", { body: form(token, { email: `${name}@shop.example` }) }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([
      201, 403, 403,
    ]);
    expect(await bench.store.deskAccounts.countUsers(workspaceId)).toBe(1);
  });

  it("a second start creates a new link and invalidates the first", async () => {
    const first = tokenOf(await bench.setupLink(workspaceId));
    const second = tokenOf(await bench.setupLink(workspaceId));
    expect((await bench.call("POST", "setup", { body: form(first) })).status).toBe(403);
    expect((await bench.call("POST", "setup", { body: form(second) })).status).toBe(201);
  });

  it("a link expires after a day", async () => {
    const token = tokenOf(await bench.setupLink(workspaceId));
    bench.clock.advance(SETUP_MS);
    expect((await bench.call("POST", "setup", { body: form(token) })).status).toBe(403);
  });

  it("a wrong secret is refused, and guessing is stopped after twenty attempts", async () => {
    await bench.setupLink(workspaceId);
    const guess = () => bench.call("POST", "setup", { body: form("x".repeat(43)) });
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await guess()).status).toBe(403);
    expect((await guess()).status).toBe(429);
    expect(await bench.store.deskAccounts.countUsers(workspaceId)).toBe(0);
  });

  it("a wrong secret is refused before the password is looked at", async () => {
    await bench.setupLink(workspaceId);
    const weak = form("x".repeat(43), { password: "password1234" });
    expect((await bench.call("POST", "setup", { body: weak })).status).toBe(403);
  });

  it.each(["short", "password1234", "Ada@shop.example", "adaadaadaada", "aaaaaaaaaaaa", "123456789012"])(
    "the password %s is refused with a sentence, and the link lives on",
    async (password) => {
      const token = tokenOf(await bench.setupLink(workspaceId));
      const refused = await problemOf(await bench.call("POST", "setup", { body: form(token, { password }) }));
      expect(refused).toMatchObject({ status: 400, code: "bad_request" });
      expect((await bench.call("POST", "setup", { body: form(token) })).status).toBe(201);
    },
  );

  it.each([
    ["an unknown field", { role: "admin" }],
    ["no name", { name: undefined }],
    ["a name of two lines", { name: "a\nb" }],
    ["no address", { email: "nobody" }],
  ])("%s is refused", async (_, more) => {
    const token = tokenOf(await bench.setupLink(workspaceId));
    expect((await bench.call("POST", "setup", { body: form(token, more) })).status).toBe(400);
    expect(await bench.store.deskAccounts.countUsers(workspaceId)).toBe(0);
  });
});
