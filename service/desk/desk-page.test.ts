import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDeskBench, type DeskBench, ORIGIN } from "./testing/desk-bench.ts";

let folder: string;
let bench: DeskBench;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "desk-page-"));
  bench = createDeskBench({ filesIn: join(folder, "desk") });
});

afterEach(async () => {
  await bench.close();
  await rm(folder, { recursive: true, force: true });
});

async function build(page: string): Promise<void> {
  await mkdir(join(folder, "desk/assets"), { recursive: true });
  await writeFile(join(folder, "desk/assets/main-abc123.js"), "export {};");
  await writeFile(join(folder, "desk/assets/main-abc123.js.map"), "{}");
  await writeFile(join(folder, "secret.js"), "secret");
  await writeFile(join(folder, "desk/index.html"), page);
}

const get = (path: string) => bench.app.request(`${ORIGIN}${path}`);

describe("the desk's page", () => {
  it("a missing build is reported in one sentence, and a later build is served without a restart", async () => {
    const missing = await get("/desk");
    expect(missing.status).toBe(503);
    expect(await missing.text()).toBe(
      "The desk's page is not built yet. Run npm run build, then load this page again.\n",
    );
    await build("<p>one</p>");
    expect(await (await get("/desk")).text()).toBe("<p>one</p>");
    await build("<p>two</p>");
    await utimes(join(folder, "desk/index.html"), new Date(), new Date(Date.now() + 5000));
    expect(await (await get("/desk")).text()).toBe("<p>two</p>");
  });

  it("it may run only its own scripts, can't be framed, and has no HTML sink", async () => {
    await build("<p>desk</p>");
    for (const path of ["/desk", "/desk/"]) {
      const { headers, status } = await get(path);
      expect(status).toBe(200);
      const policy = headers.get("content-security-policy") ?? "";
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]) {
        expect(policy.split("; ")).toContain(rule);
      }
      expect(policy).not.toContain("unsafe");
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-cache");
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it("hashed files are immutable", async () => {
    await build("<p>desk</p>");
    const file = await get("/desk/assets/main-abc123.js");
    expect(await file.text()).toBe("export {};");
    expect(file.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("a browser that accepts brotli gets the file that the build compressed", async () => {
    await build("<p>desk</p>");
    await writeFile(join(folder, "desk/assets/main-abc123.js.br"), brotliCompressSync("export {};"));
    const file = await bench.app.request(`${ORIGIN}/desk/assets/main-abc123.js`, {
      headers: { "accept-encoding": "gzip, br" },
    });
    expect(file.headers.get("content-encoding")).toBe("br");
    expect(file.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(brotliDecompressSync(await file.arrayBuffer()).toString()).toBe("export {};");
    expect((await get("/desk/assets/main-abc123.js.br")).status).toBe(404);
  });

  it("a page that did not change is not sent again", async () => {
    await build("<p>desk</p>");
    const etag = (await get("/desk")).headers.get("etag") ?? "";
    const again = () => bench.app.request(`${ORIGIN}/desk`, { headers: { "if-none-match": etag } });
    expect([(await again()).status, await (await again()).text()]).toEqual([304, ""]);
    await build("<p>new</p>");
    await utimes(join(folder, "desk/index.html"), new Date(), new Date(Date.now() + 5000));
    expect(await (await again()).text()).toBe("<p>new</p>");
  });

  it.each([
    "/desk/assets/../../secret.js",
    "/desk/%2e%2e/secret.js",
    "/desk/..%2fsecret.js",
    "/desk/assets/main-abc123.js.map",
    "/desk/assets",
    "/desk/nothing",
    "/desk/index.html/x",
  ])("%s is not found", async (path) => {
    await build("<p>desk</p>");
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("secret");
  });
});
