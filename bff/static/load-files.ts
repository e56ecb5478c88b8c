import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { etagOf, type StaticFile } from "./send-file.ts";

/**
 * All files that the build made for browsers, in memory. A request selects from a map and never names a path on disk,
 * and a build during a running process changes nothing: the bytes of a pinned loader stay the same.
 */
export interface StaticFiles {
  readonly loader: StaticFile;
  /** The loader with its own texts in other languages, by tag, such as `pt-br`. */
  readonly spoken?: ReadonlyMap<string, StaticFile>;
  /** The panel's HTML, without the allowed origins. */
  readonly frame: string;
  /** By file name below `/assets/`. */
  readonly assets: ReadonlyMap<string, StaticFile>;
  /** Other files that sites load, by path: those of `/compat`, and the types of `window.Parley`. */
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

/** Reads the build from `dist`. @throws Error with one sentence when the build is missing */
export function loadStaticFiles(dist: string): StaticFiles {
  const loader = join(dist, "loader/widget.js");
  const frame = join(dist, "widget/frame.html");
  if (!existsSync(loader) || !existsSync(frame)) {
    throw new Error(`The widget is not built: ${dist} lacks it. Run "npm run build" first.`);
  }
  const spoken = loadFolder(join(dist, "loader"), (name) => /^widget\.(.+)\.js$/.exec(name)?.[1]);
  const assets = loadFolder(join(dist, "widget/assets"), (name) =>
    MEDIA_TYPES[extname(name)] === undefined ? undefined : name,
  );
  const forSites = [
    ...loadFolder(join(dist, "compat"), (name) => (name.endsWith(".js") ? `/compat/${name}` : undefined)),
    ...loadFolder(dist, (name) => (name === "parley.d.ts" ? `/${name}` : undefined)),
  ];
  return {
    loader: loadFile(loader),
    spoken,
    frame: readFileSync(frame, "utf8"),
    assets,
    forSites: new Map(forSites),
  };
}

/** The files of a folder by the keys that `keyOf` gives them; those without a key are left out. */
function loadFolder(
  folder: string,
  keyOf: (name: string) => string | undefined,
): ReadonlyMap<string, StaticFile> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const found = names.map((name) => [keyOf(name), name] as const);
  return new Map(found.flatMap(([key, name]) => (key ? [[key, loadFile(join(folder, name))]] : [])));
}

function loadFile(path: string): StaticFile {
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
