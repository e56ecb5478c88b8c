import type { Context } from "hono";
import { Failure } from "../../shared/errors.ts";
import { createSendFile } from "../../shared/server/static-files.ts";
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

/** The headers of every answer below `/desk`, also of a refusal. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "content-security-policy": CONTENT_SECURITY_POLICY,
} as const;

const NOT_BUILT = "The desk's page is not built yet. Run npm run build, then load this page again.\n";

/** Serves the desk's page and its files; every other path is not found. */
export async function servePage(c: Context, files: DeskFiles): Promise<Response> {
  const path = c.req.path.replace(/^\/desk\/?/, "") || "index.html";
  const file = await files.find(path);
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  if (!file && path === "index.html") return c.text(NOT_BUILT, 503);
  if (!file) throw new Failure("not_found");
  // Names below assets/ contain a content hash. The page itself refers to them and is revalidated each time.
  const cacheControl = path.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  return createSendFile(file, { "cache-control": cacheControl })(c);
}
