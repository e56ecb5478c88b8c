import { describe, expect, it } from "vitest";
import { CATALOGUE } from "./catalogue.ts";
import { createDemoSite } from "./demo-site.ts";

const site = createDemoSite();

function get(path: string, host = "localhost:3000", accept = "text/html"): Promise<Response> {
  return Promise.resolve(site.request(path, { headers: { host, accept } }));
}

const policyOf = (response: Response) => response.headers.get("content-security-policy") ?? "";

describe("works", () => {
  it.each([
    ["localhost:3000", "http://127.0.0.1:3000"],
    ["127.0.0.1:3000", "http://localhost:3000"],
    ["localhost", "http://127.0.0.1"],
  ])("a page on %s loads its widget from %s", async (host, origin) => {
    const response = await get("/", host);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain(`<script async src="${origin}/widget.js"`);
    expect(policyOf(response)).toContain(`script-src ${origin};`);
    expect(policyOf(response)).toContain(`frame-src ${origin};`);
    expect(html).toContain(`<b>http://${host}</b>`);
  });

  it.each(["shop.example", "shop.example:8080", "[::1]:3000", "192.168.1.7:3000"])(
    "on %s page and widget share the origin",
    async (host) => {
      const response = await get("/", host);
      expect(await response.text()).toContain('<script async src="/widget.js"');
      expect(policyOf(response)).toContain("script-src 'self'; frame-src 'self'");
    },
  );

  it("every page, picture and style that a page links exists on this site", async () => {
    const paths = ["/", ...CATALOGUE.map(({ slug }) => `/product/${slug}`)];
    const named = new Set<string>();
    for (const path of paths) {
      const html = await (await get(path)).text();
      expect(html).not.toContain("{{");
      expect(html).not.toMatch(/style=|<style|onclick|<script>/);
      for (const [, address = ""] of html.matchAll(/(?:src|href)="([^"]+)"/g)) named.add(address);
    }
    for (const address of named) {
      if (address.endsWith("/widget.js") || address.startsWith("#") || address === "/desk") continue;
      expect(address.startsWith("/"), address).toBe(true);
      expect((await get(address)).status, address).toBe(200);
    }
  });

  it("the twelve articles that the agent quotes have pages where its sources link", async () => {
    const list = await (await get("/help")).text();
    const paths = [...list.matchAll(/href="(\/help\/[a-z-]+)"/g)].map(([, path = ""]) => path);
    expect(new Set(paths).size).toBe(12);
    for (const path of paths) expect((await get(path)).status).toBe(200);
    expect(await (await get("/help/shipping")).text()).toContain("working days");
  });

  it("pages are revalidated, because their widget's address depends on the host", async () => {
    const response = await get("/");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("vary")).toBe("Host");
  });
});

describe("refuses", () => {
  it.each([
    'localhost"><script>alert(1)</script>',
    "localhost:3000;script-src *",
    "LOCALHOST",
    "localhost:3000\tx",
    "user@localhost",
    "localhost:999999",
    "-shop.example",
    "shop.example/",
    "a".repeat(300),
    "",
  ])("the invalid host %j gives 400 and is not repeated in the answer", async (host) => {
    const response = await site.request("/", { headers: { accept: "text/html", ...(host ? { host } : {}) } });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const text = await response.text();
    expect(text).toContain('"code":"bad_request"');
    if (host) expect(text).not.toContain(host);
  });

  it("an unknown address gives a page to a browser and a problem to a program", async () => {
    const page = await get("/nothing");
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("Not on our shelves");
    const problem = await get("/nothing", "localhost:3000", "application/json");
    expect(problem.status).toBe(404);
    expect(await problem.json()).toMatchObject({ code: "not_found", status: 404 });
  });

  it("other methods change nothing", async () => {
    expect((await site.request("/", { method: "POST", headers: { host: "localhost:3000" } })).status).toBe(
      404,
    );
  });

  it.each([
    "/demo/../demo-site.ts",
    "/demo/..%2fdemo-site.ts",
    "/demo/%2e%2e/page.ts",
    "/demo//shop.css",
    "/demo/",
    "/product/__proto__",
    "/constructor",
  ])("%s does not reach a file", async (path) => {
    expect((await get(path, "localhost:3000", "*/*")).status).toBe(404);
  });
});

describe("protects", () => {
  it("the page has the strictest policy that the widget allows", async () => {
    const policy = policyOf(await get("/"));
    for (const rule of [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toContain("unsafe");
    expect((await get("/demo/mark.svg")).headers.get("x-content-type-options")).toBe("nosniff");
  });
});
