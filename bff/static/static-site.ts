import { createHash } from "node:crypto";
import { Hono } from "hono";
import { chooseLanguage } from "./asked-language.ts";
import type { StaticFile, StaticFiles } from "./load-files.ts";
import { pinnedLoaderPath } from "./pinned-loader.ts";

export interface StaticSiteDeps {
  readonly files: StaticFiles;
  readonly version: string;
  /** Origins of pages that may show the panel, and the BFF's own. */
  readonly origins: readonly string[];
  /** Whether browsers reach this over HTTPS. */
  readonly isHttps: boolean;
}

const META = /<meta name="parley-origins" content="[^"]*"\s*\/?>/;

/** How long a page may use the loader unasked: short, because its address has no version in it. */
const LOADER_MAX_AGE = "public, max-age=300, stale-while-revalidate=86400";
/**
 * For the loader in a language that the address does not name: some shared caches pass over `Vary: Accept-Language`, and
 * would give one visitor's language to all. English is what anybody may be given.
 */
const LOADER_OF_ONE = LOADER_MAX_AGE.replace("public", "private");
const IMMUTABLE = "public, max-age=31536000, immutable";

const NO_FEATURES =
  "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), clipboard-write=(self), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), " +
  "gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), " +
  "screen-wake-lock=(), usb=(), xr-spatial-tracking=()";

/**
 * The loader, what else sites load, the panel's document and its assets.
 * @throws Error with one sentence when the panel's document lacks the place for the allowed origins
 */
export function createStaticSite({ files, version, origins, isHttps }: StaticSiteDeps): Hono {
  const site = new Hono();
  const common = {
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(isHttps ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
  const frame = createFrame(files.frame, origins);
  const loaderHeaders = {
    ...common,
    "access-control-allow-origin": "*",
    "cache-control": LOADER_MAX_AGE,
    "cross-origin-resource-policy": "cross-origin",
  };
  const assetHeaders = {
    ...common,
    "cache-control": IMMUTABLE,
    "cross-origin-resource-policy": "same-origin",
  };
  const frameHeaders = { ...common, ...frame.headers };

  const pinnedHeaders = { ...loaderHeaders, "cache-control": IMMUTABLE };

  const languages = [...(files.spoken?.keys() ?? [])];
  site.get("/widget.js", (c) => {
    const asked = c.req.query("lang");
    const spoken = files.spoken?.get(chooseLanguage(asked, c.req.header("accept-language"), languages));
    const headers = asked
      ? loaderHeaders
      : {
          ...loaderHeaders,
          "cache-control": spoken ? LOADER_OF_ONE : LOADER_MAX_AGE,
          vary: "Accept-Encoding, Accept-Language",
        };
    return sendFile(c.req.raw, spoken ?? files.loader, headers);
  });
  // Another version is not there: a page that pinned it must not be given other bytes under its name.
  site.get(pinnedLoaderPath(version), (c) => sendFile(c.req.raw, files.loader, pinnedHeaders));
  for (const [path, file] of files.forSites ?? []) {
    site.get(path, (c) => sendFile(c.req.raw, file, loaderHeaders));
  }
  site.get("/frame", (c) => sendFile(c.req.raw, frame.file, frameHeaders));
  site.get("/assets/:name", (c, next) => {
    const file = files.assets.get(c.req.param("name"));
    return file ? Promise.resolve(sendFile(c.req.raw, file, assetHeaders)) : next();
  });
  return site;
}

/** The panel's document: who may frame it is in its headers, whom it may answer is in its meta element. */
function createFrame(html: string, origins: readonly string[]) {
  if (!META.test(html))
    throw new Error('frame.html lacks <meta name="parley-origins" content="">. Build it again.');
  const meta = `<meta name="parley-origins" content="${escapeAttribute(origins.join(" "))}">`;
  const plain = Buffer.from(html.replace(META, () => meta));
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...hashesOfInline(html)].join(" "),
    "style-src 'self'",
    "connect-src 'self'",
    // Pictures that a customer sent come by `fetch` with the session's token, and are drawn from memory.
    "img-src 'self' blob:",
    "font-src 'self'",
    `frame-ancestors ${origins.join(" ") || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    file: { mediaType: "text/html; charset=utf-8", etag, plain, brotli: undefined, gzip: undefined },
    headers: {
      "cache-control": "no-cache",
      "content-security-policy": policy.join("; "),
      // A page that isolates itself (COEP) may still show the panel.
      "cross-origin-embedder-policy": "require-corp",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "cross-origin",
      "permissions-policy": NO_FEATURES,
    },
  };
}

/** The page's own inline scripts, by their hash: no more than the import map that pins what it loads later. */
function hashesOfInline(html: string): string[] {
  const found = html.matchAll(/<script type="importmap">([^<]*)<\/script>/g);
  return [...found].map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function sendFile(request: Request, file: StaticFile, headers: Readonly<Record<string, string>>): Response {
  const all: Record<string, string> = {
    vary: "Accept-Encoding",
    ...headers,
    "content-type": file.mediaType,
    // Weak: the compressed forms share it, and a strong one would promise the same bytes (RFC 9110, section 8.8.1).
    etag: `W/${file.etag}`,
  };
  const known = request.headers.get("if-none-match");
  if (known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === file.etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  const accepted = acceptedEncodings(request.headers.get("accept-encoding") ?? "");
  const isBrotli = accepted.has("br") && file.brotli !== undefined;
  const isGzip = !isBrotli && accepted.has("gzip") && file.gzip !== undefined;
  if (isBrotli || isGzip) all["content-encoding"] = isBrotli ? "br" : "gzip";
  const bytes = (isBrotli ? file.brotli : isGzip ? file.gzip : undefined) ?? file.plain;
  all["content-length"] = String(bytes.byteLength);
  return new Response(Uint8Array.from(bytes), { status: 200, headers: all });
}

/** The encodings of the header that are not refused by `q=0`. */
function acceptedEncodings(header: string): ReadonlySet<string> {
  const entries = header.toLowerCase().split(",");
  return new Set(
    entries
      .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
      .map((entry) => entry.split(";", 1)[0]?.trim() ?? ""),
  );
}
