import { createHash } from "node:crypto";
import type { PublicConfig } from "../../shared/api/config.ts";
import type { StaticFile } from "./load-files.ts";

/** Where the loader of `version` is: these bytes for as long as the version is served. */
export function pinnedLoaderPath(version: string): string {
  return `/v/${version}/widget.js`;
}

/**
 * What a site needs for a tag that its visitors' browsers check: computed of the bytes that are sent, not of a record of
 * the build.
 */
export function describeLoader(loader: StaticFile, version: string, origin = ""): PublicConfig["loader"] {
  const digest = createHash("sha384").update(loader.plain).digest("base64");
  return { version, integrity: `sha384-${digest}`, url: `${origin}${pinnedLoaderPath(version)}` };
}
