import type { lookup } from "node:dns";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createScriptedService } from "../../bff/testing/scripted-service.ts";
import { createTestBff, ORIGIN, problemOf } from "../../bff/testing/test-bff.ts";
import { createTestClock } from "../../bff/testing/test-clock.ts";
import { createPageReader, isPrivateAddress, PageFault } from "./read-page.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface TestSite {
  readonly origin: string;
  readonly asked: string[];
}

async function startSite(answer: RequestListener): Promise<TestSite> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { origin: `http://127.0.0.1:${address.port}`, asked };
}

const page =
  (html: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { "content-type": "text/html", ...headers }).end(html);

const why = (reading: Promise<unknown>) =>
  reading.then(
    () => "it was read",
    (error: unknown) => (error instanceof PageFault ? error.message : `unexpected: ${String(error)}`),
  );

describe("DOC1 a page of the site is read", () => {
  it("with its policy, and a redirect on its own origin is followed", async () => {
    const { origin, asked } = await startSite((request, response) =>
      request.url === "/"
        ? response.writeHead(302, { location: "/shop?token=secret" }).end()
        : page("<p>Lamps</p>", { "content-security-policy": "frame-src 'none'" })(request, response),
    );
    const read = createPageReader({ allowedOrigins: [origin] });
    expect(await read(`${origin}/`)).toEqual({
      url: `${origin}/shop`,
      policy: "frame-src 'none'",
      html: "<p>Lamps</p>",
    });
    expect(asked).toEqual(["/", "/shop"]);
  });

  it("never at another origin, whatever leads there", async () => {
    const other = await startSite(page("secret"));
    const { origin } = await startSite((_, response) =>
      response.writeHead(307, { location: `${other.origin}/` }).end(),
    );
    const read = createPageReader({ allowedOrigins: [origin] });
    expect(await why(read(`${origin}/`))).toBe("it redirects to another origin");
    const { port } = new URL(other.origin);
    for (const url of [
      other.origin,
      other.origin.replace("127.0.0.1", "localhost"),
      `http://127.0.0.1.example:${port}/`,
      `http://user:word@${new URL(origin).host}/`,
      "http://169.254.169.254/latest/meta-data/",
      "http://[::1]/",
    ]) {
      expect(await why(read(url))).toBe("its origin is not in ALLOWED_ORIGINS");
    }
    expect(other.asked).toEqual([]);
  });

  it.each<[string, RequestListener, string, number?]>([
    [
      "redirects for ever",
      (_, response) => response.writeHead(302, { location: "/again" }).end(),
      "it redirects too often",
    ],
    [
      "redirects to nowhere",
      (_, response) => response.writeHead(302, { location: "http://[" }).end(),
      "it redirects to another origin",
    ],
    ["answers 500", (_, response) => response.writeHead(500).end("words of the page"), "it answers 500"],
    [
      "is larger than a page",
      (_, response) => {
        response.writeHead(200);
        for (let part = 0; part < 5; part += 1) response.write("x".repeat(500_000));
      },
      "it gives no whole page in time",
    ],
    ["breaks the line", (request) => request.socket.destroy(), "it gives no whole page in time"],
    ["never answers", () => undefined, "it gives no whole page in time", 100],
  ])("with an end, where it %s", async (_name, answer, sentence, totalMs = 20_000) => {
    const { origin } = await startSite(answer);
    const read = createPageReader({ allowedOrigins: [origin], totalMs });
    expect(await why(read(`${origin}/`))).toBe(sentence);
  });

  it("but not over plain http outside this machine", async () => {
    const read = createPageReader({ allowedOrigins: ["http://shop.example"] });
    expect(await why(read("http://shop.example/"))).toBe("it is not https");
  });

  it.each([["10.0.0.5"], ["127.0.0.1"], ["169.254.169.254"], ["::1"], ["::ffff:127.0.0.1"], ["fd00::1"]])(
    "but not where its public name leads to %s, beside whatever else",
    async (address) => {
      const all = [
        { address: "203.0.113.9", family: 4 },
        { address, family: address.includes(":") ? 6 : 4 },
      ];
      // The overloads of the real one can't be written in one function.
      const resolve = ((_name: string, _options: object, done: (error: null, found: unknown) => void) =>
        done(null, all)) as unknown as typeof lookup;
      const read = createPageReader({ allowedOrigins: ["https://shop.example"], resolve });
      expect(await why(read("https://shop.example/"))).toBe("its name leads to a private address");
    },
  );

  it("and a public address is none of the private ones (control)", () => {
    expect(["203.0.113.9", "8.8.8.8", "2606:4700::1111"].map(isPrivateAddress)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("DOC1 GET /api/doctor?page=", () => {
  const open = (origins: string, env: Record<string, string> = {}) =>
    createTestBff({
      service: createScriptedService(),
      clock: createTestClock(),
      env: { ALLOWED_ORIGINS: origins, ...env },
    });
  const tag = `<script async src="${ORIGIN}/widget.js"></script>`;
  const address = (url: string) => `/api/doctor?page=${encodeURIComponent(url)}`;

  it("says in a sentence that the page's policy blocks the frame, and nothing of its words", async () => {
    const policy = { "content-security-policy": `script-src ${ORIGIN}; frame-src https://canary.example` };
    const { origin } = await startSite(page(`${tag}canary`, policy));
    const answer = await open(origin).request("GET", address(`${origin}/?order=1#top`));
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ well: false });
    expect(text).toContain(`blocks the chat's frame: add ${ORIGIN} to frame-src.`);
    expect(text).not.toContain("canary");
  });

  it("finds nothing at a page that lets the chat in, also where that page's site asks without naming one", async () => {
    const { origin, asked } = await startSite(page(tag));
    const bff = open(origin);
    expect(await (await bff.request("GET", address(`${origin}/shop?x=1`))).json()).toMatchObject({
      well: true,
    });
    const cross = { headers: { origin, "sec-fetch-site": "cross-site" } };
    expect(JSON.stringify(await (await bff.request("GET", "/api/doctor", cross)).json())).toContain(
      `${origin}/ can show the panel.`,
    );
    expect(asked).toEqual(["/shop", "/"]);
  });

  it("asks nobody who is not on the list, and not the same page again at once", async () => {
    const { origin, asked } = await startSite(page(tag));
    const other = await startSite(page(tag));
    const bff = open(origin);
    const answers = await Promise.all([1, 2, 3].map(() => bff.request("GET", address(origin))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asked).toEqual(["/"]);
    const refused = await (await bff.request("GET", address(other.origin))).text();
    expect(refused).toContain("may not show the panel");
    expect(other.asked).toEqual([]);
  });

  it("reads ten pages in a minute, and then says when to come again", async () => {
    const { origin, asked } = await startSite(page(tag));
    const bff = open(origin);
    const ask = (number: number) => bff.request("GET", address(`${origin}/${number}`));
    for (let number = 0; number < 10; number += 1) expect((await ask(number)).status).toBe(200);
    const refused = await ask(10);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(await problemOf(refused)).toBe("429 rate_limited");
    expect(asked).toHaveLength(10);
  });

  it.each([
    "",
    "shop",
    "//127.0.0.1/",
    "file:///etc/passwd",
    "data:text/html,x",
    "javascript:alert(1)",
    "http://user:word@localhost:3000/",
    "https://shop.example./",
    `http://localhost:3000/${"x".repeat(2000)}`,
  ])("refuses %s as no page's address", async (named) => {
    expect(await problemOf(await open(ORIGIN).request("GET", address(named)))).toBe("400 bad_request");
  });

  it("is not there in production, unless the operator lets it be", async () => {
    const { origin } = await startSite(page(tag));
    const env = { PUBLIC_URL: "https://chat.example.com" };
    const headers = { headers: { origin: "https://chat.example.com" } };
    expect((await open(origin, env).request("GET", address(origin), headers)).status).toBe(404);
    expect(
      (await open(origin, { ...env, DOCTOR: "on" }).request("GET", address(origin), headers)).status,
    ).toBe(200);
  });
});
