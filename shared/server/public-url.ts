import type { EnvironmentReader } from "./environment.ts";
import { isLoopback, isOrigin, parseUrl } from "./origin.ts";

/** Reads `PUBLIC_URL`, the https origin that browsers reach this server under. */
export function readPublicUrl(reader: EnvironmentReader): string | undefined {
  const text = reader.text("PUBLIC_URL");
  if (text === undefined) return undefined;
  const origin = text.replace(/\/$/, "");
  const url = parseUrl(origin);
  if (url && isOrigin(origin) && (url.protocol === "https:" || isLoopback(url))) return origin;
  const hasPath = url !== undefined && isOrigin(url.origin) && url.pathname !== "/";
  reader.refuse({
    name: "PUBLIC_URL",
    fault: hasPath
      ? "has a path: give Parley a host name of its own. Its files, its API and the desk's cookie use the root of their origin."
      : "must be the https origin that browsers reach this server under, without a path.",
    example: "PUBLIC_URL=https://chat.example.com",
  });
  return undefined;
}
