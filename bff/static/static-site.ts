import { Hono } from "hono";
import { chooseLanguage } from "./asked-language.ts";
import { createFramePage } from "./frame-page.ts";
import type { StaticFiles } from "./load-files.ts";
import { pinnedLoaderPath } from "./pinned-loader.ts";
import { createSendFile, type StaticFile } from "./send-file.ts";

export interface StaticSiteDeps {
  readonly files: StaticFiles;
  readonly version: string;
  /** Origins of pages that may show the panel, and the BFF's own. */
  readonly origins: readonly string[];
  /** Whether browsers reach this over HTTPS. */
  readonly isHttps: boolean;
}

/** How long a page may use the loader without asking: short, because its address names no version. */
const LOADER_MAX_AGE = "public, max-age=300, stale-while-revalidate=86400";
/**
 * For a loader whose language was chosen by the browser's header: some shared caches ignore `Vary: Accept-Language` and
 * would give one visitor's language to all. English may be given to anyone.
 */
const LOADER_OF_ONE = LOADER_MAX_AGE.replace("public", "private");
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves the loader, the other files that sites load, the panel's page and its assets.
 * @throws Error with one sentence when the panel's page lacks the place for the allowed origins
 */
export function createStaticSite({ files, version, origins, isHttps }: StaticSiteDeps): Hono {
  const common = {
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(isHttps ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
  const forSites = (file: StaticFile, cacheControl = LOADER_MAX_AGE, more = {}) =>
    createSendFile(file, {
      ...common,
      "access-control-allow-origin": "*",
      "cache-control": cacheControl,
      "cross-origin-resource-policy": "cross-origin",
      ...more,
    });

  const languages = [...(files.spoken?.keys() ?? [])];
  const byBrowser = { vary: "Accept-Encoding, Accept-Language" };
  const english = { asked: forSites(files.loader), found: forSites(files.loader, LOADER_MAX_AGE, byBrowser) };
  const spoken = new Map(
    [...(files.spoken ?? [])].map(([tag, file]) => [
      tag,
      { asked: forSites(file), found: forSites(file, LOADER_OF_ONE, byBrowser) },
    ]),
  );
  const frame = createFramePage(files.frame, origins);
  const sendFrame = createSendFile(frame.file, { ...common, ...frame.headers });
  const assetHeaders = {
    ...common,
    "cache-control": IMMUTABLE,
    "cross-origin-resource-policy": "same-origin",
  };
  const assets = new Map([...files.assets].map(([name, file]) => [name, createSendFile(file, assetHeaders)]));
  const pinned = forSites(files.loader, IMMUTABLE);

  const site = new Hono();
  site.get("/widget.js", (c) => {
    const asked = c.req.query("lang");
    const language = chooseLanguage(asked, c.req.header("accept-language"), languages);
    const loader = spoken.get(language) ?? english;
    return (asked ? loader.asked : loader.found)(c.req.raw);
  });
  // Only this version: a page that pinned another one must not get different bytes under its name.
  site.get(pinnedLoaderPath(version), (c) => pinned(c.req.raw));
  for (const [path, file] of files.forSites ?? []) {
    const send = forSites(file);
    site.get(path, (c) => send(c.req.raw));
  }
  site.get("/frame", (c) => sendFrame(c.req.raw));
  site.get(
    "/assets/:name",
    async (c, next) => assets.get(c.req.param("name"))?.(c.req.raw) ?? (await next()),
  );
  return site;
}
