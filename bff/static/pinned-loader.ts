import { createHash } from "node:crypto";
import type { PublicConfig } from "../../shared/api/config.ts";
import type { StaticFile } from "./send-file.ts";

/** The address of the loader of `version`; its bytes never change. */
export function pinnedLoaderPath(version: string): string {
  return `/v/${version}/widget.js`;
}

/** Returns what a site needs for a tag with `integrity`, computed from the bytes that are sent. */
export function describeLoader(loader: StaticFile, version: string, origin = ""): PublicConfig["loader"] {
  const digest = createHash("sha384").update(loader.plain).digest("base64");
  return { version, integrity: `sha384-${digest}`, url: `${origin}${pinnedLoaderPath(version)}` };
}
