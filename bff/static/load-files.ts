import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** One file, ready to be sent in each encoding that the build made. */
export interface StaticFile {
  readonly mediaType: string;
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly brotli: Uint8Array | undefined;
  readonly gzip: Uint8Array | undefined;
}

/** Everything that the build made for browsers, in memory: a request picks from a map and never names a path on disk. */
export interface StaticFiles {
  readonly loader: StaticFile;
  /** The loader with its own words in other languages, by their tags: `pt-br`. */
  readonly spoken?: ReadonlyMap<string, StaticFile>;
  /** HTML of the panel, before the allowed origins are put in. */
  readonly frame: string;
  /** By file name below `/assets/`. */
  readonly assets: ReadonlyMap<string, StaticFile>;
  /** What else sites load, by path: the files of `/compat`, and the types of `window.Parley`. */
  readonly forSites?: ReadonlyMap<string, StaticFile>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".ts": "text/plain; charset=utf-8",
};

/**
 * Reads the build from `dist`.
 * @throws Error with one sentence when the build is missing
 */
export function loadStaticFiles(dist: string): StaticFiles {
  const loader = join(dist, "loader/widget.js");
  const frame = join(dist, "widget/frame.html");
  if (!existsSync(loader) || !existsSync(frame)) {
    throw new Error(`The widget is not built: ${dist} lacks it. Run "npm run build" first.`);
  }
  const folder = join(dist, "widget/assets");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const assets = names.filter((name) => MEDIA_TYPES[extname(name)] !== undefined);
  return {
    loader: loadFile(loader),
    spoken: loadSpoken(join(dist, "loader")),
    frame: readFileSync(frame, "utf8"),
    assets: new Map(assets.map((name) => [name, loadFile(join(folder, name))])),
    forSites: loadForSites(dist),
  };
}

function loadSpoken(folder: string): ReadonlyMap<string, StaticFile> {
  const found = readdirSync(folder).map((name) => [name, /^widget\.(.+)\.js$/.exec(name)?.[1]] as const);
  return new Map(found.flatMap(([name, tag]) => (tag ? [[tag, loadFile(join(folder, name))]] : [])));
}

function loadForSites(dist: string): ReadonlyMap<string, StaticFile> {
  const compat = join(dist, "compat");
  const names = existsSync(compat) ? readdirSync(compat) : [];
  const paths = [
    ...names.filter((name) => name.endsWith(".js")).map((name) => `/compat/${name}`),
    "/parley.d.ts",
  ];
  return new Map(
    paths.filter((path) => existsSync(dist + path)).map((path) => [path, loadFile(join(dist, path))]),
  );
}

function loadFile(path: string): StaticFile {
  const plain = readFileSync(path);
  return {
    mediaType: MEDIA_TYPES[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    plain,
    brotli: existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : undefined,
    gzip: existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : undefined,
  };
}
