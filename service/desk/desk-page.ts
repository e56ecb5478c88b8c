import type { Context } from "hono";
import { Failure } from "../../shared/errors.ts";
import type { DeskFiles } from "./desk-files.ts";

/** Allows the desk's own files and connections only, and no framing. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // blob: for thumbnails of files that are not sent yet.
  "img-src 'self' blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const NOT_BUILT = "The desk's page is not built yet. Run npm run build, then load this page again.\n";

/** Serves the desk's page and its files; every other path is not found. */
export async function servePage(c: Context, files: DeskFiles): Promise<Response> {
  const path = c.req.path.replace(/^\/desk\/?/, "") || "index.html";
  const file = await files.find(path);
  c.header("x-content-type-options", "nosniff");
  c.header("referrer-policy", "no-referrer");
  c.header("cross-origin-opener-policy", "same-origin");
  c.header("cross-origin-resource-policy", "same-origin");
  c.header("x-frame-options", "DENY");
  c.header("content-security-policy", CONTENT_SECURITY_POLICY);
  if (!file && path === "index.html") {
    c.header("cache-control", "no-store");
    return c.text(NOT_BUILT, 503);
  }
  if (!file) throw new Failure("not_found");
  // Names below assets/ contain a content hash. The page itself refers to them and is revalidated each time.
  c.header("cache-control", path.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache");
  c.header("content-type", file.type);
  c.header("vary", "accept-encoding");
  if (!file.brotli || !/\bbr\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(file.body);
  c.header("content-encoding", "br");
  return c.body(file.brotli);
}
