import { createServer, type RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { SILENT_LOG } from "../../shared/server/log.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { COOLDOWN_MS, MAX_AGE_MS, openKeyRing, REFRESH_MS } from "./key-ring.ts";
import { createTestSite } from "./testing/site-keys.ts";

const ADDRESS = "https://shop.example/keys.json?v=1";

type Answer = () => Response | Promise<Response>;

/** A key ring for an address whose answer a test changes. */
async function openRing(first?: Answer) {
  const clock = createTestClock();
  const site = createTestSite(() => clock.now());
  const set = JSON.parse(site.keySet) as { keys: { kid: string; kty: string }[] };
  const published =
    (...kids: string[]): Answer =>
    () =>
      Response.json({ keys: set.keys.filter(({ kid }) => kids.includes(kid)) });
  const address = { answer: first ?? published("ec"), requests: [] as [string, RequestInit | undefined][] };
  const lines: string[] = [];
  const log = { ...SILENT_LOG, error: (fields: object) => void lines.push(JSON.stringify(fields)) };
  const ring = await openKeyRing({
    url: ADDRESS,
    fetch: async (url, request) => {
      address.requests.push([new Request(url).url, request]);
      return address.answer();
    },
    clock,
    log,
  });
  const find = (kid: string, algorithm = kid === "ed" ? "EdDSA" : "ES256") =>
    ring.find(kid, algorithm).then(
      () => "found",
      (error: unknown) => (error instanceof Failure ? error.code : `threw ${String(error)}`),
    );
  const advance = async (ms: number) => {
    await clock.advance(ms);
    // A read that the timer started ends in later turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ring, advance, address, published, find, lines };
}
const down: Answer = () =>
  Promise.reject(
    new TypeError("fetch failed", { cause: Object.assign(new Error("down"), { code: "ECONNREFUSED" }) }),
  );

describe("keys at an address", () => {
  it("are read at start, and again every few minutes", async () => {
    const { address, advance, published, find } = await openRing();
    expect(await find("ec")).toBe("found");
    address.answer = published("ec", "ed");
    await advance(REFRESH_MS);
    expect(address.requests).toHaveLength(2);
    expect(await find("ed")).toBe("found");
    expect(address.requests).toHaveLength(2);
  });

  it("are requested without credentials, and a redirect is not followed", async () => {
    const { address } = await openRing();
    const [[url, request] = []] = address.requests;
    expect(url).toBe(ADDRESS);
    expect(request?.redirect).toBe("manual");
    expect([...new Headers(request?.headers).keys()]).toEqual(["accept"]);
  });

  it("a key's record fixes the algorithm, also where it does not name one", async () => {
    const { find } = await openRing();
    for (const algorithm of ["none", "HS256", "ES384", "EdDSA", "RS256", ""]) {
      expect(await find("ec", algorithm)).toBe("identity_bad_signature");
    }
    const { find: findEd } = await openRing((await openRing()).published("ed"));
    expect(await findEd("ed", "Ed25519")).toBe("identity_bad_signature");
    expect(await findEd("ed", "EdDSA")).toBe("found");
  });

  it("a key that was just added is found at once; an unknown id is looked up only now and then", async () => {
    const { address, advance, published, find } = await openRing();
    await advance(COOLDOWN_MS);
    address.answer = published("ec", "ed");
    expect(await find("ed")).toBe("found");
    const { length } = address.requests;
    for (let n = 0; n < 100; n += 1) expect(await find(`made-up-${n}`)).toBe("identity_unknown_kid");
    expect(address.requests).toHaveLength(length);
  });

  it("a failing address is asked only now and then, however many tokens name an unknown id", async () => {
    const { address, advance, find } = await openRing();
    await advance(COOLDOWN_MS);
    address.answer = down;
    for (let n = 0; n < 100; n += 1) expect(await find(`made-up-${n}`)).toBe("identity_unknown_kid");
    expect(address.requests).toHaveLength(2);
  });

  it("the sessions of a removed key are revoked", async () => {
    const { ring, address, advance, published } = await openRing();
    expect(ring.isLive("ec")).toBe(true);
    address.answer = published("ed");
    await advance(REFRESH_MS);
    expect([ring.isLive("ec"), ring.isLive("ed")]).toEqual([false, true]);
  });

  it("are used for an hour while the address is down; then tokens are unavailable and no session ends", async () => {
    const { ring, address, advance, find, lines } = await openRing();
    address.answer = down;
    await advance(MAX_AGE_MS - 1);
    expect(await find("ec")).toBe("found");
    await advance(1);
    expect(await find("ec")).toBe("unavailable");
    expect(await find("made-up")).toBe("unavailable");
    expect(ring.isLive("ec")).toBe(true);
    expect(lines.at(-1)).toContain("ECONNREFUSED");
  });

  it.each<[string, Answer]>([
    ["refuses connections", down],
    ["answers 503", () => new Response(null, { status: 503 })],
    [
      "never ends",
      () => new Response("x".repeat(65 * 1024), { headers: { "content-type": "application/json" } }),
    ],
  ])("an address that %s at start is asked again", async (_name, answer) => {
    const { address, advance, published, find } = await openRing(answer);
    expect(await find("ec")).toBe("unavailable");
    address.answer = published("ec");
    await advance(COOLDOWN_MS);
    expect(await find("ec")).toBe("found");
  });

  it.each<[string, Answer, string]>([
    ["answers something else", () => Response.json("<html>"), "JSON Web Key Set"],
    ["answers a page", () => new Response("{}", { headers: { "content-type": "text/html" } }), "not JSON"],
    [
      "redirects",
      () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }),
      "302",
    ],
    ["answers 404", () => new Response(null, { status: 404 }), "404"],
    [
      "publishes a secret",
      () =>
        Response.json({ keys: [{ kty: "oct", kid: "a", k: "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ" }] }),
      "publishes a secret",
    ],
  ])("an address that %s stops the start", async (_name, answer, sentence) => {
    await expect(openRing(answer)).rejects.toThrow(sentence);
  });

  it("a faulty set never replaces good keys", async () => {
    const { address, advance, find, lines } = await openRing();
    address.answer = () => Response.json({ keys: [] });
    await advance(REFRESH_MS);
    expect(await find("ec")).toBe("found");
    expect(lines.at(-1)).toContain("must hold a key");
  });
});

describe("keys at an address, over HTTP", () => {
  async function openOver(answer: RequestListener) {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url, request.headers.cookie, request.headers.authorization);
      answer(request, response);
    });
    const { url, close } = await listenOnFreePort(server);
    onTestFinished(close);
    const ring = await openKeyRing({
      url: `${url}/keys.json?v=1`,
      fetch,
      clock: createTestClock(),
      log: SILENT_LOG,
    });
    return { ring, asked };
  }
  const json = { "content-type": "application/jwk-set+json; charset=utf-8" };

  it("are requested without any of our data", async () => {
    const { keySet } = createTestSite(() => 0);
    const keys = (JSON.parse(keySet) as { keys: { kid: string }[] }).keys.filter(({ kid }) => kid !== "hmac");
    const { ring, asked } = await openOver((_, response) => {
      response.writeHead(200, json).end(JSON.stringify({ keys }));
    });
    await expect(ring.find("ec", "ES256")).resolves.toBeDefined();
    expect(asked).toEqual(["/keys.json?v=1", undefined, undefined]);
  });

  it("are not looked up at a redirect's target", async () => {
    const redirect: RequestListener = (_, response) => {
      response.writeHead(302, { location: "/elsewhere.json" }).end();
    };
    await expect(openOver(redirect)).rejects.toThrow("answers 302; it must answer 200 itself");
  });

  it.each<[string, RequestListener]>([
    ["breaks the connection", (request) => request.socket.destroy()],
    [
      "sends more than 64 kB",
      (_, response) => {
        response.writeHead(200, json);
        for (let kilobyte = 0; kilobyte < 65; kilobyte += 1) response.write(" ".repeat(1024));
      },
    ],
  ])("are unavailable while the address %s", async (_name, answer) => {
    const { ring } = await openOver(answer);
    await expect(ring.find("ec", "ES256")).rejects.toMatchObject({ code: "unavailable" });
    expect(ring.isLive("ec")).toBe(true);
  });
});
