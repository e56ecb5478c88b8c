import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isServed, loadFile, loadFolder, type StaticFile } from "../../shared/server/static-files.ts";

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

/** Reads the build from `dist`. @throws Error with one sentence when the build is missing */
export function loadStaticFiles(dist: string): StaticFiles {
  const loader = join(dist, "loader/widget.js");
  const frame = join(dist, "widget/frame.html");
  const types = join(dist, "parley.d.ts");
  if (![loader, frame, types].every((path) => existsSync(path))) {
    throw new Error(`The widget is not built: ${dist} lacks it. Run "npm run build" first.`);
  }
  const compat = loadFolder(join(dist, "compat"), (name) =>
    name.endsWith(".js") ? `/compat/${name}` : undefined,
  );
  return {
    loader: loadFile(loader),
    spoken: loadFolder(join(dist, "loader"), (name) => /^widget\.(.+)\.js$/.exec(name)?.[1]),
    frame: readFileSync(frame, "utf8"),
    assets: loadFolder(join(dist, "widget/assets"), (name) => (isServed(name) ? name : undefined)),
    forSites: new Map([...compat, ["/parley.d.ts", loadFile(types)]]),
  };
}
