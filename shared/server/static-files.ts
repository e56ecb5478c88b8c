import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";

/** A file of the build, in memory, with its compressed forms. */
export interface StaticFile {
  readonly mediaType: string;
  /** Without the `W/` of a weak ETag. */
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly brotli?: Uint8Array<ArrayBuffer> | undefined;
  readonly gzip?: Uint8Array<ArrayBuffer> | undefined;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".ts": "text/plain; charset=utf-8",
};

/** Whether a file is of a kind that browsers load; source maps and compressed forms are not. */
export function isServed(name: string): boolean {
  return MEDIA_TYPES[extname(name)] !== undefined;
}

/**
 * Reads the files of a folder and of those in it, by the keys that `keyOf` gives their paths below it, such as
 * `assets/main-x.js`. Files without a key are left out, and a missing folder has none.
 */
export function loadFolder(
  folder: string,
  keyOf: (name: string) => string | undefined,
): ReadonlyMap<string, StaticFile> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const found = names.map((name) => [keyOf(name.replaceAll(sep, "/")), name] as const);
  return new Map(found.flatMap(([key, name]) => (key ? [[key, loadFile(join(folder, name))]] : [])));
}

export function loadFile(path: string): StaticFile {
  const read = (file: string) => (existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined);
  const plain = new Uint8Array(readFileSync(path));
  return {
    mediaType: MEDIA_TYPES[extname(path)] ?? "application/octet-stream",
    etag: etagOf(plain),
    plain,
    brotli: read(`${path}.br`),
    gzip: read(`${path}.gz`),
  };
}

/** An ETag for `bytes`, in quotes. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}

/** Values read of one header; browsers send fewer. */
const MAX_VALUES = 50;

/** The values of an `Accept-Language` or `Accept-Encoding`, the preferred ones first. */
export function acceptedIn(header: string | undefined): readonly string[] {
  const values = parseAccept(header ?? "").slice(0, MAX_VALUES);
  return values.flatMap(({ type, q }) => (q > 0 ? [type] : []));
}

export type SendFile = (c: Context) => Response;

/**
 * Prepares the responses for one file: Brotli, gzip or plain, and 304 for a matching ETag. The ETag is weak, because
 * the compressed forms share it and a strong one would promise the same bytes (RFC 9110, section 8.8.1).
 */
export function createSendFile(file: StaticFile, headers: Readonly<Record<string, string>>): SendFile {
  const common = {
    vary: "Accept-Encoding",
    ...headers,
    "content-type": file.mediaType,
    etag: `W/${file.etag}`,
  };
  const forms = [["br", file.brotli] as const, ["gzip", file.gzip] as const];
  return (c) => {
    const known = c.req.header("if-none-match");
    if (known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === file.etag)) {
      return c.body(null, 304, common);
    }
    const accepted = acceptedIn(c.req.header("accept-encoding")?.toLowerCase());
    const coded = forms.find(([encoding, bytes]) => bytes && accepted.includes(encoding));
    const [encoding, bytes = file.plain] = coded ?? [];
    return c.body(bytes, 200, {
      ...common,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      "content-length": String(bytes.byteLength),
    });
  };
}
