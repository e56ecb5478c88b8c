import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import type { PublicConfig } from "../../shared/api/config.ts";
import { integrityOf } from "../../widget/pin-html.ts";
import { createTestBff } from "../testing/test-bff.ts";
import { loadStaticFiles, type StaticFiles } from "./load-files.ts";
import { createStaticSite } from "./static-site.ts";

/** The name of the tests' loader: its version and the beginning of its hash. */
const HASH = Buffer.from(integrityOf(Buffer.from("loader()")).slice("sha384-".length), "base64");
const PINNED = `0.0.0-test-${HASH.toString("base64url").slice(0, 32)}`;
/** For tests of other files: one loader, at one address. */
const pinnedOf = (files: StaticFiles) => ({
  find: async (name: string) => (name === "1.0.0" ? files.loader : undefined),
});

const ENV = {
  PUBLIC_URL: "https://chat.example.com",
  ALLOWED_ORIGINS: "https://www.example.com https://b.example",
};
const open = (env: Record<string, string> = ENV) => createTestBff({ service: createFakeService(), env });

describe("GET /frame", () => {
  it("names the allowed origins in its policy and its meta element", async () => {
    const answer = await open().request("GET", "/frame");
    const policy = answer.headers.get("content-security-policy")?.split("; ");
    const origins = "https://chat.example.com https://www.example.com https://b.example";
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' blob:",
      "font-src 'self'",
      `frame-ancestors ${origins}`,
      "base-uri 'none'",
      "form-action 'none'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(await answer.text()).toContain(`<meta name="parley-origins" content="${origins}">`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "permissions-policy": expect.stringMatching(
        /autoplay=\(self\), camera=\(\).* clipboard-write=\(self\)/,
      ),
    });
  });

  it("without a public address it allows the two names of this machine", async () => {
    const answer = await open({}).request("GET", "/frame");
    expect(answer.headers.get("content-security-policy")).toContain(
      "frame-ancestors http://localhost:3000 http://127.0.0.1:3000;",
    );
  });

  it("an origin can't break out of the attribute", () => {
    const files = { ...emptyFiles(), frame: '<meta name="parley-origins" content="">' };
    const site = createStaticSite({ files, pinned: pinnedOf(files), origins: ['"><script>'] });
    return expect(Promise.resolve(site.request("/frame")).then((answer) => answer.text())).resolves.toBe(
      '<meta name="parley-origins" content="&#34;&#62;&#60;script&#62;">',
    );
  });
});

describe("GET /widget.js and /assets", () => {
  it("the loader may be loaded from anywhere and is revalidated soon", async () => {
    const answer = await open().request("GET", "/widget.js");
    expect(await answer.text()).toBe("loader()");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "cache-control": expect.stringContaining("max-age=300"),
      "x-content-type-options": "nosniff",
    });
    const tag = answer.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"/);
    const again = await open().request("GET", "/widget.js", { headers: { "if-none-match": tag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it.each([
    ["br, gzip", "br", "brotli"],
    ["gzip", null, "loader()"],
    ["br;q=0, gzip", null, "loader()"],
    ["", null, "loader()"],
  ])("a client that accepts %j gets the encoding %j", async (accepted, encoding, text) => {
    const answer = await open().request("GET", "/widget.js", { headers: { "accept-encoding": accepted } });
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toBe("Accept-Encoding, Accept-Language");
    expect(await answer.text()).toBe(text);
  });

  it("FILE1 the pinned loader never changes, may be loaded from anywhere, and its hash is public", async () => {
    const bff = open();
    const config = (await (
      await bff.request("GET", "/api/config", { headers: { origin: "https://chat.example.com" } })
    ).json()) as PublicConfig;
    expect(config.loader).toEqual({
      version: PINNED,
      integrity: integrityOf(Buffer.from("loader()")),
      url: `https://chat.example.com/v/${PINNED}/widget.js`,
    });
    const answer = await bff.request("GET", new URL(config.loader.url).pathname);
    expect(await answer.text()).toBe("loader()");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
    });
  });

  it("an asset is immutable", async () => {
    const answer = await open().request("GET", "/assets/main-abc.js");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  it.each([
    "/assets/other.js",
    "/assets/",
    "/assets/../frame.html",
    "/assets/%2e%2e%2fframe.html",
    "/assets/..%5cx",
    "/assets/a/b",
    "/widget.js/x",
    "/v/0.0.0-test/widget.js",
    `/v/${PINNED.replace("0.0.0", "0.0.1")}/widget.js`,
    `/v/${PINNED}/`,
    "/.env",
  ])("%s is not found", async (path) => {
    expect((await open().request("GET", path)).status).toBe(404);
  });
});

describe("LANG7 GET /widget.js in a language", () => {
  const spoken = { ...emptyFiles(), ...spokenFiles(), frame: '<meta name="parley-origins" content="">' };
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    createStaticSite({ files: spoken, pinned: pinnedOf(spoken), origins: [] }).request(path, {
      method,
      headers,
    });
  const read = async (answer: Response | Promise<Response>) => (await answer).text();

  it("is the asked one, else the browser's, else English", async () => {
    expect(await read(ask("/widget.js"))).toBe("en");
    expect(await read(ask("/widget.js?lang=ar"))).toBe("ar");
    expect(await read(ask("/widget.js?lang=pt_BR", { "accept-language": "ar" }))).toBe("pt-br");
    expect(await read(ask("/widget.js?lang=en", { "accept-language": "ar" }))).toBe("en");
    expect(await read(ask("/widget.js?lang=xx", { "accept-language": "ar" }))).toBe("en");
    expect(await read(ask("/widget.js?lang=", { "accept-language": "ar-EG,ar;q=0.9" }))).toBe("ar");
    expect(await read(ask("/widget.js", { "accept-language": "xx, pt-BR;q=0.8, ar;q=0.5" }))).toBe("pt-br");
  });

  it("FILE1 the pinned loader is English, whatever is asked", async () => {
    for (const path of ["/v/1.0.0/widget.js", "/v/1.0.0/widget.js?lang=ar"]) {
      const answer = await ask(path, { "accept-language": "ar" });
      expect([await answer.text(), answer.headers.get("vary")]).toEqual(["en", "Accept-Encoding"]);
      expect(answer.headers.get("cache-control")).toContain("immutable");
    }
  });

  it("no shared cache can give one visitor's language to another, even if it ignores Vary", async () => {
    const facts = async (path: string, accepted: string) => {
      const { headers } = await ask(path, { "accept-language": accepted });
      return [headers.get("cache-control")?.split(",", 1)[0], headers.get("vary")];
    };
    const both = "Accept-Encoding, Accept-Language";
    expect(await facts("/widget.js", "ar")).toEqual(["private", both]);
    expect(await facts("/widget.js", "xx")).toEqual(["public", both]);
    // Only the URL chose these.
    expect(await facts("/widget.js?lang=ar", "de")).toEqual(["public", "Accept-Encoding"]);
    expect(await facts("/widget.js?lang=xx", "ar")).toEqual(["public", "Accept-Encoding"]);
  });

  it.each([
    ["br", "br", "ar br"],
    ["gzip", "gzip", "ar gzip"],
    ["identity", null, "ar"],
  ])(
    "works in %s, by HEAD and when unchanged, and each language has its own tag",
    async (accepted, coded, text) => {
      const headers = { "accept-encoding": accepted, "accept-language": "ar" };
      const answer = await ask("/widget.js", headers);
      expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([coded, text]);
      const head = await ask("/widget.js", headers, "HEAD");
      expect([head.status, await head.text(), Object.fromEntries(head.headers)]).toEqual([
        200,
        "",
        Object.fromEntries(answer.headers),
      ]);
      const known = { ...headers, "if-none-match": answer.headers.get("etag") ?? "" };
      const again = await ask("/widget.js", known);
      expect([again.status, again.headers.get("vary")]).toEqual([304, "Accept-Encoding, Accept-Language"]);
      // The visitor changed the browser's language, so the cached file is the wrong one.
      expect((await ask("/widget.js", { ...known, "accept-language": "pt-BR" })).status).toBe(200);
      expect((await ask("/widget.js?lang=en", known)).status).toBe(200);
    },
  );

  it.each([
    "../../app/frame",
    "..%2f..%2fbuild",
    "__proto__",
    "ar%00",
    "ar/../de",
    "ar-".repeat(4000),
    "%ff",
    "*",
  ])("?lang=%.20s gives English", async (lang) => {
    expect(await read(ask(`/widget.js?lang=${lang}`))).toBe("en");
  });

  it.each([`${"xx,".repeat(3400)}ar`, ",;,=;q", "*;q=1", "ar;q=0", "x".repeat(10_000)])(
    "the Accept-Language %.20s gives English",
    async (accepted) => {
      expect(await read(ask("/widget.js", { "accept-language": accepted }))).toBe("en");
    },
  );
});

describe("loading the build", () => {
  const made: string[] = [];
  afterEach(() => {
    for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
  });
  const build = () => {
    const dist = mkdtempSync(join(tmpdir(), "parley-dist-"));
    made.push(dist);
    mkdirSync(join(dist, "loader"));
    mkdirSync(join(dist, "widget/assets"), { recursive: true });
    writeFileSync(join(dist, "loader/widget.js"), "loader()");
    writeFileSync(join(dist, "loader/widget.js.br"), "br");
    writeFileSync(join(dist, "loader/widget.pt-br.js"), "carregador()");
    writeFileSync(join(dist, "loader/widget.pt-br.js.br"), "br pt");
    writeFileSync(join(dist, "widget/frame.html"), "<title>Chat</title>");
    writeFileSync(join(dist, "widget/assets/main-1.js"), "main()");
    writeFileSync(join(dist, "widget/assets/main-1.js.map"), "{}");
    mkdirSync(join(dist, "compat"));
    writeFileSync(join(dist, "compat/crisp.js"), "crisp()");
    writeFileSync(join(dist, "compat/crisp.js.br"), "br");
    writeFileSync(join(dist, "parley.d.ts"), "interface Parley {}");
    return dist;
  };

  it("reads the files with their compressed forms, and no source map", () => {
    const files = loadStaticFiles(build());
    expect([...files.assets.keys()]).toEqual(["main-1.js"]);
    expect(Buffer.from(files.loader.brotli ?? []).toString()).toBe("br");
    expect(files.loader.gzip).toBeUndefined();
    expect([...(files.spoken?.keys() ?? [])]).toEqual(["pt-br"]);
    expect(Buffer.from(files.spoken?.get("pt-br")?.brotli ?? []).toString()).toBe("br pt");
  });

  it("sites can load the files of /compat and the types, and nothing else of the build", async () => {
    const loaded = { ...loadStaticFiles(build()), frame: '<meta name="parley-origins" content="">' };
    const site = createStaticSite({ files: loaded, pinned: pinnedOf(loaded), origins: [] });
    const crisp = await site.request("/compat/crisp.js", { headers: { "accept-encoding": "br" } });
    expect(Object.fromEntries(crisp.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "br",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": expect.stringContaining("max-age=300"),
    });
    const types = await site.request("/parley.d.ts");
    expect([types.headers.get("content-type"), await types.text()]).toEqual([
      "text/plain; charset=utf-8",
      "interface Parley {}",
    ]);
    for (const path of [
      "/compat/crisp.js.br",
      "/compat/tawk.js",
      "/compat/",
      "/compat/../widget/frame.html",
      "/build.json",
    ])
      expect((await site.request(path)).status, path).toBe(404);
  });

  it("a missing build or meta element stops the start with one sentence", () => {
    expect(() => loadStaticFiles("/nowhere")).toThrow(
      /not built: \/nowhere lacks it\. Run "npm run build" first\./,
    );
    const files = loadStaticFiles(build());
    expect(() => createStaticSite({ files, pinned: pinnedOf(files), origins: [] })).toThrow(
      /frame.html lacks/,
    );
  });
});

/** The loader in three languages; each file contains its own tag. */
function spokenFiles() {
  const [en, ar, portuguese] = ["en", "ar", "pt-br"].map((tag) => ({
    mediaType: "text/javascript; charset=utf-8",
    etag: `"${tag}"`,
    plain: Buffer.from(tag),
    brotli: Buffer.from(`${tag} br`),
    gzip: Buffer.from(`${tag} gzip`),
  }));
  if (!en || !ar || !portuguese) throw new Error("no files");
  return {
    loader: en,
    spoken: new Map([
      ["ar", ar],
      ["pt-br", portuguese],
    ]),
  };
}

function emptyFiles() {
  const file = {
    mediaType: "text/plain",
    etag: '""',
    plain: new Uint8Array(),
    brotli: undefined,
    gzip: undefined,
  };
  return { loader: file, assets: new Map<string, typeof file>() };
}
