import { Hono } from "hono";
import { negotiate } from "../../shared/languages.ts";
import { acceptedIn, createSendFile, type StaticFile } from "../../shared/server/static-files.ts";
import { createFramePage } from "./frame-page.ts";
import type { StaticFiles } from "./load-files.ts";
import type { PinnedLoaders } from "./pinned-loaders.ts";

/** How long a page may use the loader without revalidation: short, because its URL contains no version. */
const LOADER_MAX_AGE = "public, max-age=300, stale-while-revalidate=86400";
/**
 * For a loader whose language the browser's header chose: some shared caches ignore `Vary: Accept-Language` and would
 * give one visitor's language to all. English may be given to anyone.
 */
const LOADER_OF_ONE = LOADER_MAX_AGE.replace("public", "private");
/** In characters; no real language tag is longer. */
const MAX_TAG = 35;
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves the loader, the other files that sites load, the panel's page and its assets.
 * @throws Error with one sentence when the panel's page lacks the place for the allowed origins
 */
export function createStaticSite(options: {
  readonly files: StaticFiles;
  readonly pinned: Pick<PinnedLoaders, "find">;
  /** Origins of pages that may show the panel, and the BFF's own. */
  readonly origins: readonly string[];
}): Hono {
  const { files, pinned, origins } = options;
  const common = { "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" };
  const forSites = (file: StaticFile, cacheControl = LOADER_MAX_AGE, more = {}) =>
    createSendFile(file, {
      ...common,
      "access-control-allow-origin": "*",
      "cache-control": cacheControl,
      "cross-origin-resource-policy": "cross-origin",
      ...more,
    });

  const byBrowser = { vary: "Accept-Encoding, Accept-Language" };
  const english = { asked: forSites(files.loader), found: forSites(files.loader, LOADER_MAX_AGE, byBrowser) };
  const spoken = new Map(
    Array.from(files.spoken ?? [], ([tag, file]) => [
      tag,
      { asked: forSites(file), found: forSites(file, LOADER_OF_ONE, byBrowser) },
    ]),
  );
  const frame = createFramePage(files.frame, origins);
  const assetHeaders = {
    ...common,
    "cache-control": IMMUTABLE,
    "cross-origin-resource-policy": "same-origin",
  };
  const assets = new Map([...files.assets].map(([name, file]) => [name, createSendFile(file, assetHeaders)]));

  const site = new Hono();
  site.get("/widget.js", (c) => {
    const asked = c.req.query("lang");
    const wanted = asked ? [asked] : acceptedIn(c.req.header("accept-language"));
    const [language] = negotiate(
      wanted.filter((tag) => tag.length <= MAX_TAG),
      [...spoken.keys()],
    );
    const loader = spoken.get(language) ?? english;
    return (asked ? loader.asked : loader.found)(c);
  });
  site.get("/v/:name/widget.js", async (c, next) => {
    const file = await pinned.find(c.req.param("name"));
    return file ? forSites(file, IMMUTABLE)(c) : next();
  });
  for (const [path, file] of files.forSites ?? []) site.get(path, forSites(file));
  site.get("/frame", createSendFile(frame.file, { ...common, ...frame.headers }));
  site.get("/assets/:name", async (c, next) => assets.get(c.req.param("name"))?.(c) ?? (await next()));
  return site;
}
