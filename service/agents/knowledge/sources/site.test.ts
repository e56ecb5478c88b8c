import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEnvironmentReader } from "../../../../shared/server/environment.ts";
import { agentDepsOf, questionOf } from "../../../testing/agents.ts";
import { createManualClock, type ManualClock } from "../../../testing/manual-clock.ts";
import { createMemoryLog } from "../../../testing/memory-log.ts";
import type { Agent } from "../../agent.ts";
import type { AgentDeps } from "../../provider.ts";
import { knowledgeProvider } from "../knowledge-provider.ts";
import { crawlSite } from "./site-crawl.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let site: string;
let pages: Map<string, Answer>;
let asked: string[];
let dataDir: string;
let stopping: AbortController;
let clock: ManualClock;

beforeEach(async () => {
  pages = new Map();
  asked = [];
  clock = createManualClock();
  stopping = new AbortController();
  dataDir = await mkdtemp(join(tmpdir(), "site-"));
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const answer = pages.get(request.url ?? "");
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  stopping.abort();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dataDir, { recursive: true, force: true });
});

const text =
  (body: string | Buffer, type = "text/html; charset=utf-8", headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(200, { "content-type": type, ...headers }).end(body);
const about = (thing: string, colour: string) =>
  text(
    `<title>${thing} | Shop</title><nav>Menu</nav><main><h1>${thing}</h1><p>${thing} are ${colour}.</p></main>`,
  );
const status =
  (code: number): Answer =>
  (_request, response) =>
    void response.writeHead(code).end();
const redirect =
  (to: string): Answer =>
  (_request, response) =>
    void response.writeHead(302, { location: to }).end();
const sitemap = (...paths: string[]) =>
  text(
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
      .map(
        (path) =>
          `<url><loc>${path.startsWith("/") ? site + path : path}</loc><lastmod>2026-01-01</lastmod></url>`,
      )
      .join("")}</urlset>`,
    "application/xml",
  );

const noFiles = () => {
  throw new Error("ENOENT");
};
const open = (more: Partial<AgentDeps> = {}, urls = `${site}/sitemap.xml`) =>
  knowledgeProvider
    .configure(createEnvironmentReader({ KNOWLEDGE_URLS: urls, KNOWLEDGE_URLS_HOURS: "6" }, noFiles))
    .open(agentDepsOf({ stopping: stopping.signal, fetch, dataDir, clock, ...more }));

async function ask(agent: Agent, question: string): Promise<{ said: string; urls: (string | undefined)[] }> {
  let said = "";
  const urls: (string | undefined)[] = [];
  for await (const event of agent.answer(questionOf(question), new AbortController().signal)) {
    if (event.type === "delta") said += event.text;
    if (event.type === "citation") urls.push(event.citation.url);
  }
  return { said, urls };
}

/** Opens the agent and waits for its first pages: the schedule begins at once. */
async function openReady(more: Partial<AgentDeps> = {}, urls?: string): Promise<Agent> {
  const agent = await open(more, urls);
  clock.advance(0);
  await expect.poll(() => agent.unavailable()).toBeUndefined();
  return agent;
}
const crawl = (
  urls: string[],
  before: Parameters<typeof crawlSite>[1] = [],
  deps: Partial<Parameters<typeof crawlSite>[2]> = {},
) =>
  crawlSite(urls, before, {
    fetch,
    stopping: stopping.signal,
    now: () => clock.now(),
    pause: () => Promise.resolve(),
    ...deps,
  });

describe("KNOW2 the pages of the owner's site", () => {
  test("are answered from once they are fetched; until then the agent says that it can't", async () => {
    pages.set("/sitemap.xml", sitemap("/help/teapots", "/help/cups"));
    pages.set("/help/teapots", about("Teapots", "red"));
    pages.set("/help/cups", about("Cups", "blue"));
    const agent = await open();
    expect(agent.unavailable()).toBe("The pages of KNOWLEDGE_URLS are being fetched.");
    clock.advance(0);
    await expect.poll(() => agent.unavailable()).toBeUndefined();
    const { said, urls } = await ask(agent, "What colour are cups?");
    expect(said).toContain("Cups are blue.");
    expect(said).not.toContain("Menu");
    expect(urls).toEqual([`${site}/help/cups`]);
    expect(agent.notes?.()).toEqual([]);
  });

  test("are stored for the owner only, and a restart needs no network", async () => {
    pages.set("/sitemap.xml", sitemap("/teapots"));
    pages.set("/teapots", about("Teapots", "red"));
    await openReady();
    const file = join(dataDir, "knowledge", "pages.json");
    await expect.poll(() => readFile(file, "utf8").catch(() => "")).toContain("Teapots are red.");
    expect((await stat(file)).mode & 0o077).toBe(0);
    const offline = await open({ fetch: () => Promise.reject(new Error("no network")) });
    expect((await ask(offline, "What colour are teapots?")).said).toContain("Teapots are red.");
  });

  test("are fetched again by schedule, unchanged ones without their content", async () => {
    pages.set("/sitemap.xml", sitemap("/teapots", "/cups"));
    const again: unknown[] = [];
    pages.set("/teapots", (request, response) => {
      again.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === '"1"') response.writeHead(304).end();
      else about("Teapots", "red")(request, response.setHeader("etag", '"1"'));
    });
    pages.set("/cups", about("Cups", "blue"));
    const agent = await openReady();
    pages.set("/cups", about("Cups", "green"));
    // The next fetch is planned only after the pages of this one are stored.
    await expect
      .poll(async () => {
        clock.advance(6 * 3_600_000);
        return (await ask(agent, "What colour are cups?")).said;
      })
      .toContain("Cups are green.");
    expect((await ask(agent, "What colour are teapots?")).said).toContain("Teapots are red.");
    expect(again.slice(0, 2)).toEqual([undefined, '"1"']);
  });

  test("that can't be fetched keep their last version, which is logged and noted until they can be", async () => {
    pages.set("/sitemap.xml", sitemap("/teapots", "/cups"));
    pages.set("/teapots", about("Teapots", "red"));
    pages.set("/cups", about("Cups", "blue"));
    const log = createMemoryLog();
    const agent = await openReady({ log });
    pages.set("/teapots", status(500));
    const note = `Not all pages of KNOWLEDGE_URLS could be read: ${site}/teapots answers 500. Pages whose last version is used: 1.`;
    const later = (ms: number) => async () => {
      clock.advance(ms);
      return agent.notes?.();
    };
    await expect.poll(later(6 * 3_600_000)).toEqual([note]);
    expect(log.text()).toContain(note);
    expect((await ask(agent, "What colour are teapots?")).said).toContain("Teapots are red.");
    pages.set("/teapots", about("Teapots", "red"));
    // After a failure it asks again in a quarter of an hour.
    await expect.poll(later(15 * 60_000)).toEqual([]);
  });

  test.each([
    ["a page", text("<main><h1>Maintenance</h1><p>We are back soon.</p></main>")],
    ["nothing", text("", "application/xml")],
  ])("keep their last version while their sitemap's address answers with %s", async (_name, answer) => {
    pages.set("/sitemap.xml", sitemap("/teapots"));
    pages.set("/teapots", about("Teapots", "red"));
    const agent = await openReady();
    pages.set("/sitemap.xml", answer);
    await expect
      .poll(async () => {
        clock.advance(6 * 3_600_000);
        return agent.notes?.();
      })
      .toEqual([
        `Not all pages of KNOWLEDGE_URLS could be read: ${site}/sitemap.xml is no sitemap. Pages whose last version is used: 1.`,
      ]);
    expect((await ask(agent, "What colour are teapots?")).said).toContain("Teapots are red.");
  });

  test("that are feeds are left out, and bring no early fetch", async () => {
    pages.set("/sitemap.xml", sitemap("/teapots", "/feed.xml", "/guide.xml"));
    pages.set("/teapots", about("Teapots", "red"));
    pages.set("/feed.xml", text("<rss><channel/></rss>", "application/rss+xml"));
    pages.set("/guide.xml", text("<main><h1>Cups</h1><p>Cups are blue.</p></main>", "application/xhtml+xml"));
    const { pages: found, faults, mayPass } = await crawl([`${site}/sitemap.xml`]);
    expect(found.map(({ url }) => url)).toEqual([`${site}/teapots`, `${site}/guide.xml`]);
    expect({ faults, mayPass }).toEqual({
      faults: [`${site}/feed.xml is application/rss+xml and no page`],
      mayPass: false,
    });
  });

  test("that can't be fetched are counted, the first five are named, and a restart forgets neither note nor retry", async () => {
    const paths = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `/${name}`);
    pages.set("/sitemap.xml", sitemap("/teapots", ...paths));
    pages.set("/teapots", about("Teapots", "red"));
    for (const path of paths) pages.set(path, status(500));
    const first = await openReady();
    const named = paths.slice(0, 5).map((path) => `${site}${path} answers 500`);
    const note = `Not all pages of KNOWLEDGE_URLS could be read (7 faults): ${named.join(", ")} and 2 more.`;
    await expect.poll(() => first.notes?.()).toEqual([note]);
    const file = join(dataDir, "knowledge", "pages.json");
    await expect.poll(() => readFile(file, "utf8").catch(() => "")).toContain(`${site}/a answers 500`);
    stopping.abort();
    stopping = new AbortController();
    for (const path of paths) pages.set(path, about("Cups", "blue"));
    const second = await open();
    expect(second.notes?.()).toEqual([note]);
    clock.advance(15 * 60_000);
    await expect.poll(() => second.notes?.()).toEqual([]);
  });

  test("of one text under several addresses are one article", async () => {
    pages.set("/sitemap.xml", sitemap("/teapots", "/teapots?from=mail"));
    pages.set("/teapots", about("Teapots", "red"));
    pages.set("/teapots?from=mail", about("Teapots", "red"));
    const { said, urls } = await ask(await openReady(), "What colour are teapots?");
    expect(said).toContain("Teapots are red.");
    expect(urls).toEqual([`${site}/teapots`]);
  });

  test("that are gone are no longer quoted, also where they were the last ones", async () => {
    pages.set("/sitemap.xml", sitemap("/sale"));
    pages.set("/sale", about("Sales", "red"));
    const agent = await openReady();
    pages.set("/sale", status(410));
    await expect
      .poll(async () => {
        clock.advance(6 * 3_600_000);
        return agent.unavailable();
      })
      .toContain(`${site}/sale answers 410`);
  });

  test("of addresses that are no longer configured are not quoted", async () => {
    pages.set("/teapots", about("Teapots", "red"));
    await openReady({}, `${site}/teapots`);
    const file = join(dataDir, "knowledge", "pages.json");
    await expect.poll(() => readFile(file, "utf8").catch(() => "")).toContain("Teapots are red.");
    const agent = await open({}, `${site}/cups`);
    clock.advance(0);
    await expect.poll(() => agent.unavailable()).toContain(`${site}/cups answers 404`);
  });

  test("a site that is away at the first start is asked again, and the fault is noted", async () => {
    pages.set("/sitemap.xml", status(503));
    const agent = await open();
    clock.advance(0);
    await expect.poll(() => agent.unavailable()).toContain(`${site}/sitemap.xml answers 503`);
    pages.set("/sitemap.xml", sitemap("/teapots"));
    pages.set("/teapots", about("Teapots", "red"));
    await expect
      .poll(() => {
        clock.advance(15 * 60_000);
        return agent.unavailable();
      })
      .toBeUndefined();
  });
});

describe("KNOW2 the next fetch", () => {
  const HOUR = 3_600_000;
  test.each([
    ["on schedule after a page that is gone", status(404), 6 * HOUR],
    ["on schedule after a page that was deleted", status(410), 6 * HOUR],
    ["on schedule after a PDF", text("%PDF", "application/pdf"), 6 * HOUR],
    ["on schedule after a page that is too large", text("x".repeat(2 * 1024 * 1024 + 1)), 6 * HOUR],
    ["on schedule after a redirect to another host", redirect("http://elsewhere.example/"), 6 * HOUR],
    ["in a quarter of an hour after an error of the site", status(500), HOUR / 4],
    ["in a quarter of an hour after too many requests", status(429), HOUR / 4],
    [
      "in a quarter of an hour after a lost connection",
      (request: IncomingMessage) => request.destroy(),
      HOUR / 4,
    ],
  ])("is %s", async (_name, answer, ms) => {
    pages.set("/sitemap.xml", sitemap("/teapots", "/other"));
    pages.set("/teapots", about("Teapots", "red"));
    pages.set("/other", answer);
    const planned: number[] = [];
    const after: ManualClock["after"] = (wait, run) => {
      planned.push(wait);
      return clock.after(wait, run);
    };
    await openReady({ clock: { ...clock, after } });
    await expect.poll(() => planned.length).toBe(2);
    expect(planned).toEqual([0, ms]);
  });

  test("is at once after a restart if the machine's clock was days ahead before", async () => {
    pages.set("/teapots", about("Teapots", "red"));
    await openReady({}, `${site}/teapots`);
    const file = join(dataDir, "knowledge", "pages.json");
    await expect.poll(() => readFile(file, "utf8").catch(() => "")).toContain("Teapots are red.");
    const planned: number[] = [];
    const after: ManualClock["after"] = (wait, run) => {
      planned.push(wait);
      return clock.after(wait, run);
    };
    await open({ clock: { ...clock, now: () => clock.now() - 72 * HOUR, after } }, `${site}/teapots`);
    expect(planned).toEqual([0]);
  });

  test("is in a quarter of an hour while robots.txt can't be read", async () => {
    pages.set("/robots.txt", status(503));
    const { mayPass } = await crawl([`${site}/teapots`]);
    expect(mayPass).toBe(true);
  });
});

describe("KNOW3 requests to the network", () => {
  test("the addresses of a sitemap without end tags are read, however many they are", async () => {
    pages.set("/sitemap.xml", text(`<urlset>${`<url><loc>${site}/teapots`.repeat(5000)}`, "application/xml"));
    pages.set("/teapots", about("Teapots", "blue"));
    const { pages: read } = await crawl([`${site}/sitemap.xml`]);
    expect(read.map(({ url }) => url)).toEqual([`${site}/teapots`]);
  });

  test("the addresses of a sitemap whose elements have a prefix are read", async () => {
    const map = `<sm:urlset xmlns:sm="x"><sm:url><sm:loc>${site}/teapots</sm:loc></sm:url></sm:urlset>`;
    pages.set("/sitemap.xml", text(map, "application/xml"));
    pages.set("/teapots", about("Teapots", "blue"));
    const { pages: read } = await crawl([`${site}/sitemap.xml`]);
    expect(read.map(({ url }) => url)).toEqual([`${site}/teapots`]);
  });

  test.each([
    ["3", 3_000],
    ["3600", 10_000],
  ])("each page waits for the Crawl-delay of robots.txt, %s, at most 10 seconds", async (seconds, ms) => {
    pages.set("/robots.txt", text(`User-agent: *\nCrawl-delay: ${seconds}`, "text/plain"));
    const pauses: number[] = [];
    await crawl([`${site}/teapots`, `${site}/cups`], [], {
      pause: async (asked) => void pauses.push(asked),
    });
    expect(pauses).toEqual([ms, ms]);
  });

  test("a redirect does not lead to an address that robots.txt disallows", async () => {
    pages.set("/robots.txt", text("User-agent: *\nDisallow: /private", "text/plain"));
    pages.set("/moved", redirect("/private/teapots"));
    pages.set("/private/teapots", about("Teapots", "blue"));
    const { pages: read, faults } = await crawl([`${site}/moved`]);
    expect(read).toEqual([]);
    expect(faults).toEqual([`${site}/moved redirects to an address that robots.txt disallows`]);
    expect(asked).not.toContain("/private/teapots");
  });

  test("a redirect from http to https does not lead there either", async () => {
    pages.set("/robots.txt", text("User-agent: *\nDisallow: /private", "text/plain"));
    pages.set("/moved", redirect("https://shop.example/private/teapots"));
    pages.set("/private/teapots", about("Teapots", "blue"));
    const fetchShop: typeof fetch = (url, init) =>
      fetch(new Request(url).url.replace(/^https?:\/\/shop\.example/, site), init);
    const { faults } = await crawl(["http://shop.example/moved"], [], { fetch: fetchShop });
    expect(faults).toEqual(["http://shop.example/moved redirects to an address that robots.txt disallows"]);
    expect(asked).not.toContain("/private/teapots");
  });

  test("only the configured host: neither a sitemap nor a redirect leads to another one", async () => {
    let foreign = 0;
    const other = createServer((_request, response) => {
      foreign += 1;
      response.end("<p>Secret.</p>");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const inside = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    pages.set(
      "/sitemap.xml",
      sitemap(`${inside}/a`, "/moved", "/credentials", "/ok", "http://169.254.169.254/latest"),
    );
    pages.set("/moved", redirect(`${inside}/b`));
    pages.set("/credentials", redirect("http://localhost:1/x"));
    pages.set("/ok", redirect("/teapots"));
    pages.set("/teapots", about("Teapots", "red"));
    const result = await crawl([`${site}/sitemap.xml`]);
    expect(result.pages.map(({ text: said }) => said)).toEqual([expect.stringContaining("Teapots are red.")]);
    expect(result.faults).toEqual([
      `${site}/moved redirects to the other host ${new URL(inside).host}`,
      `${site}/credentials redirects to the other host localhost:1`,
    ]);
    expect(foreign).toBe(0);
    // The control: the other host does answer.
    await (await fetch(inside)).text();
    expect(foreign).toBe(1);
    await new Promise((resolve) => other.close(resolve));
  });

  test("not what robots.txt disallows, and nothing at all while it can't be read", async () => {
    pages.set("/robots.txt", text("User-agent: *\nDisallow: /private\n", "text/plain"));
    pages.set("/sitemap.xml", sitemap("/private/a", "/teapots"));
    pages.set("/private/a", about("Cups", "blue"));
    pages.set("/teapots", about("Teapots", "red"));
    const { pages: read, faults } = await crawl([`${site}/sitemap.xml`]);
    expect(read.map(({ url }) => url)).toEqual([`${site}/teapots`]);
    expect(faults).toEqual([`${site}/private/a is disallowed by robots.txt`]);
    expect(asked).not.toContain("/private/a");
    pages.set("/robots.txt", status(500));
    const later = await crawl([`${site}/sitemap.xml`], read);
    expect(later).toMatchObject({
      stale: 1,
      pages: read,
      faults: [expect.stringContaining("/robots.txt answers 500")],
    });
  });

  test("a fault names an address without its query, because anybody can read it and a query may have a key", async () => {
    const { faults } = await crawl([`${site}/sitemap.xml?key=secret`, `${site}/help?id=4`]);
    expect(faults).toEqual([`${site}/sitemap.xml?… answers 404`, `${site}/help?… answers 404`]);
  });

  test("a page that is too large, is no page, redirects in a circle or is gone is left out", async () => {
    pages.set("/sitemap.xml", sitemap("/large", "/pdf", "/circle", "/gone", "/teapots"));
    pages.set("/large", text("x".repeat(2 * 1024 * 1024 + 1)));
    pages.set("/pdf", text("%PDF", "application/pdf"));
    pages.set("/circle", redirect("/circle"));
    pages.set("/teapots", about("Teapots", "red"));
    const before = [{ url: `${site}/gone`, text: "Old.", fetchedAt: 0 }];
    const { pages: read, faults } = await crawl([`${site}/sitemap.xml`], before);
    expect(read.map(({ url }) => url)).toEqual([`${site}/teapots`]);
    expect(faults.map((fault) => fault.replace(site, ""))).toEqual([
      "/large is larger than 2048 kB",
      "/pdf is application/pdf and no page",
      "/circle redirects too often",
      "/gone answers 404",
    ]);
  });

  test("a page that can't be read as Markdown is left out, so it stops no later start", async () => {
    pages.set("/sitemap.xml", sitemap("/deep", "/teapots"));
    pages.set("/deep", text("> ".repeat(20_000), "text/markdown"));
    pages.set("/teapots", about("Teapots", "red"));
    const { said } = await ask(await openReady(), "What colour are teapots?");
    expect(said).toContain("Teapots are red.");
    // The pages are answered from a moment before they are stored.
    await expect.poll(async () => (await open()).unavailable()).toBeUndefined();
    const { said: saidAgain } = await ask(await open(), "What colour are teapots?");
    expect(saidAgain).toContain("Teapots are red.");
  });

  test("at most 5000 addresses, of all sitemaps together and whatever they answer", async () => {
    const missing = [...Array(5001).keys()].map((n) => `${site}/${n}`);
    let calls = 0;
    const { faults } = await crawl([`${site}/a.xml`, `${site}/b.xml`], [], {
      fetch: async (address) => {
        calls += 1;
        if (!(address instanceof URL) || address.pathname !== "/a.xml")
          return new Response(null, { status: 404 });
        return new Response(
          `<urlset>${missing.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`,
        );
      },
    });
    expect(calls - 1, "without robots.txt").toBe(5000);
    expect(faults.filter((fault) => !fault.endsWith("answers 404"))).toEqual([
      "there are more than 5000 addresses, and the others are left out",
    ]);
  });

  test("a page that hangs is given up, and keeps its last version", async () => {
    pages.set("/hangs", () => undefined);
    const before = [{ url: `${site}/hangs`, text: "Old.", fetchedAt: 0 }];
    const { pages: read, faults, stale } = await crawl([`${site}/hangs`], before, { timeoutMs: 500 });
    expect({ read, stale }).toEqual({ read: before, stale: 1 });
    expect(faults).toEqual([expect.stringContaining("did not answer in time")]);
  });

  test("an index of sitemaps, a compressed sitemap and a page in another character set are read", async () => {
    const inner = `<urlset><url><loc><![CDATA[${site}/t?a=1&b=2]]></loc></url></urlset>`;
    pages.set(
      "/index.xml",
      text(`<sitemapindex><sitemap><loc>${site}/one.xml.gz</loc></sitemap></sitemapindex>`, "text/xml"),
    );
    pages.set("/one.xml.gz", text(gzipSync(inner), "application/gzip"));
    pages.set(
      "/t?a=1&b=2",
      text(Buffer.from("<p>Teekannen sind grün.</p>", "latin1"), "text/html; charset=iso-8859-1"),
    );
    const { pages: read, faults } = await crawl([`${site}/index.xml`]);
    expect(faults).toEqual([]);
    expect(read[0]?.text).toContain("Teekannen sind grün.");
  });

  test.each(["utf8", "utf16le"] as const)(
    "a byte order mark in %s counts more than the character set that the site names",
    async (encoding) => {
      pages.set(
        "/t",
        text(Buffer.from("\ufeff<p>Teekannen sind grün.</p>", encoding), "text/html; charset=iso-8859-1"),
      );
      const { pages: read } = await crawl([`${site}/t`]);
      expect(read[0]?.text).toContain("---\n\nTeekannen sind grün.");
    },
  );

  test("a sitemap that unpacks to more than the limit is refused", async () => {
    pages.set("/bomb.xml.gz", text(gzipSync(Buffer.alloc(50 * 1024 * 1024)), "application/gzip"));
    const { faults } = await crawl([`${site}/bomb.xml.gz`]);
    expect(faults).toEqual([expect.stringContaining("can't be unpacked to at most 2048 kB")]);
  });

  test.each(["ftp://x.example/a", "not an address", "https://name:password@x.example/"])(
    "KNOWLEDGE_URLS refuses %s",
    (urls) => {
      const reader = createEnvironmentReader({ KNOWLEDGE_URLS: urls }, noFiles);
      knowledgeProvider.configure(reader);
      expect(reader.faults.map(({ name }) => name)).toContain("KNOWLEDGE_URLS");
    },
  );
});
