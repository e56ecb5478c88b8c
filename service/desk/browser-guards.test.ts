import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CSRF_HEADER } from "../../shared/desk.ts";
import { problemOf } from "../testing/test-service.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";
import { createDeskBench, type DeskBench, ORIGIN, PASSWORD, signedIn } from "./testing/desk-bench.ts";

let bench: DeskBench;
let workspaceId: string;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
});

afterEach(() => bench.close());

const post = (path: string, body: object, as?: { cookie: string; csrf: string }) =>
  bench.call("POST", path, { body, as });

/** Every Set-Cookie header of the desk, by the call that returned it. */
async function cookies(): Promise<readonly (readonly [call: string, cookie: string])[]> {
  const given: [string, string][] = [];
  const note = (call: string, answer: Response) => {
    for (const cookie of answer.headers.getSetCookie()) given.push([call, cookie]);
    return answer;
  };
  const token = (await bench.setupLink(workspaceId))?.split("#setup=")[1];
  const form = { token, email: "ada@shop.example", name: "Ada", password: PASSWORD };
  const as = await signedIn(note("setup", await post("setup", form)));
  const made = await post("users", { email: "ben@shop.example", name: "Ben", role: "agent" }, as);
  const link = ((await made.json()) as { token: string }).token;
  note("link", await post("link", { token: link }));
  note("join", await post("join", { token: link, password: PASSWORD }));
  note("login", await post("login", { email: "ada@shop.example", password: PASSWORD }));
  note("a wrong login", await post("login", { email: "ada@shop.example", password: "wrong wrong wrong" }));
  note(
    "password",
    await post("password", { password: PASSWORD, newPassword: "seven quiet harbour stones" }, as),
  );
  for (const path of ["session", "users", "audit", "conversations", "events"]) {
    const answer = note(path, await bench.call("GET", path, { as }));
    await answer.body?.cancel();
  }
  note("logout", await post("logout", {}, as));
  note("page", await bench.app.request("http://desk/desk"));
  return given;
}

describe("what the browser must enforce for the desk", () => {
  it("every cookie is __Host-, host-only, SameSite and HttpOnly", async () => {
    const given = await cookies();
    expect(given.map(([call]) => call)).toEqual(["setup", "join", "login", "logout"]);
    for (const [call, cookie] of given) {
      const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
      const [name, value = ""] = pair.split("=");
      const parsed = new Map(
        attributes.map((attribute) => {
          const [key = "", of = ""] = attribute.split("=");
          return [key.toLowerCase(), of];
        }),
      );
      expect(name).toBe(SESSION_COOKIE);
      expect(name?.startsWith("__Host-")).toBe(true);
      expect(parsed.get("path")).toBe("/");
      expect(parsed.has("secure")).toBe(true);
      expect(parsed.has("httponly")).toBe(true);
      expect(parsed.get("samesite")).toBe("Strict");
      expect(parsed.has("domain")).toBe(false);
      expect(parsed.get("max-age")).toBe(call === "logout" ? "0" : undefined);
      expect(value).toMatch(call === "logout" ? /^$/ : /^[A-Za-z0-9_-]{43}$/);
    }
  });

  it("no page may frame the desk, whichever path is requested", async () => {
    for (const path of ["/desk", "/desk/", "/desk/nothing", "/desk/assets/x.js"]) {
      const answer = await bench.app.request(`http://desk${path}`);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy.split("; ")).toContain("frame-ancestors 'none'");
      expect(answer.headers.get("x-frame-options")).toBe("DENY");
    }
  });

  it.each(["users", "users/x/link", "users/x/disable", "users/x/enable", "password", "logout"])(
    "%s is not done for a page of another origin, nor without the session's CSRF token",
    async (path) => {
      const as = await bench.signIn(workspaceId, "ada@shop.example", "admin");
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: undefined },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
        { "x-parley-csrf": undefined },
        { "x-parley-csrf": "a".repeat(43) },
      ]) {
        expect((await bench.call("POST", path, { as, headers, body: {} })).status).toBe(403);
      }
      expect((await bench.call("GET", "session", { as })).status).toBe(200);
    },
  );

  it("a page that calls the desk under a name of its own is refused, and the public name is not", async () => {
    const as = await bench.signIn(workspaceId, "ada@shop.example", "admin");
    const call = async (on: DeskBench, host: string) =>
      (
        await on.app.request(`http://${host}/desk/api/login`, {
          method: "POST",
          headers: { origin: `http://${host}`, "content-type": "application/json", cookie: as.cookie },
          body: "{}",
        })
      ).status;
    expect(await call(bench, "evil.example")).toBe(403);
    for (const host of ["127.0.0.1:3000", "localhost:3000", "[::1]:3000", "desk"]) {
      expect(await call(bench, host)).toBe(400);
    }
    const named = createDeskBench({ publicOrigin: "https://help.shop.example" });
    expect(await call(named, "help.shop.example")).toBe(400);
    expect(await call(named, "evil.example")).toBe(403);
    await named.close();
  });

  it.each(["link", "join", "login", "setup"])("%s refuses another origin", async (path) => {
    const answer = await bench.call("POST", path, { headers: { origin: "https://evil.example" }, body: {} });
    expect(answer.status).toBe(403);
  });
});

describe("calls from other origins", () => {
  it.each([
    ["no origin", { origin: undefined }],
    ["a foreign origin", { origin: "https://evil.example" }],
    ["an origin that begins like ours", { origin: `${ORIGIN}.evil.example` }],
    ["our host on another port", { origin: `${ORIGIN}:8080` }],
    ["a null origin", { origin: "null" }],
    ["our origin in a cross-site request", { "sec-fetch-site": "cross-site" }],
    ["our origin in a same-site request", { "sec-fetch-site": "same-site" }],
  ])("%s changes nothing", async (_, headers) => {
    const as = await bench.signIn(workspaceId, "ada@shop.example");
    const { id } = await bench.waitingConversation(workspaceId);
    for (const path of [`conversations/${id}/take`, "logout", "login", "setup"]) {
      const answer = await problemOf(await bench.call("POST", path, { as, headers }));
      expect(answer).toMatchObject({ status: 403, code: "origin_not_allowed" });
    }
    expect((await bench.call("GET", "session", { as })).status).toBe(200);
    expect((await bench.call("POST", `conversations/${id}/take`, { as })).status).toBe(200);
  });

  it("behind a proxy that replaces the host, the public address is the desk's own", async () => {
    const proxied = createDeskBench({ publicOrigin: "https://help.shop.example/" });
    const body = { email: "ada@shop.example", password: PASSWORD };
    const from = (origin: string) => proxied.call("POST", "login", { body, headers: { origin } });
    expect((await from("https://help.shop.example")).status).toBe(401);
    expect((await from(ORIGIN)).status).toBe(401);
    expect((await from("http://help.shop.example")).status).toBe(403);
    expect((await from("https://help.shop.example.evil.example")).status).toBe(403);
    await proxied.close();
  });

  it.each([
    ["no CSRF token", { [CSRF_HEADER]: undefined }],
    ["an empty one", { [CSRF_HEADER]: "" }],
    ["a wrong one", { [CSRF_HEADER]: "a".repeat(43) }],
  ])("%s changes nothing", async (_, headers) => {
    const as = await bench.signIn(workspaceId, "ada@shop.example");
    const { id } = await bench.waitingConversation(workspaceId);
    for (const action of ["take", "messages", "return", "resolve"]) {
      const body = { clientMessageId: "h1", body: "Hello" };
      const answer = await bench.call("POST", `conversations/${id}/${action}`, { as, headers, body });
      expect(await problemOf(answer)).toMatchObject({ status: 403, code: "forbidden" });
    }
    expect((await bench.call("POST", "logout", { as, headers })).status).toBe(403);
    expect((await bench.call("GET", "session", { as })).status).toBe(200);
  });
});
