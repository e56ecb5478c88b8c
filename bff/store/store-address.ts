import { hash } from "node:crypto";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import type { Secret } from "../../shared/server/secret.ts";

/** The start of every key of a site, so that sites on one store do not see each other's state. */
export function keyPrefix(siteId: string): string {
  return `parley:${siteId}:`;
}

/** Hashes a customer's id or an address for keys that an erasure does not find, so that they reveal nothing. */
export function blind(name: string): string {
  return hash("sha256", name, "base64url");
}

/**
 * Reveals the address of the store to its client, which gets it from here and from nowhere else.
 * @returns undefined for any form but `redis[s]://[user:password@]host[:port][/database]`
 */
export function revealStoreUrl(secret: Secret): string | undefined {
  const text = secret.reveal();
  const url = URL.parse(text);
  if (!url || !["redis:", "rediss:"].includes(url.protocol) || url.hostname === "") return undefined;
  if (url.search || url.hash || !/^(\/\d{0,3})?$/.test(url.pathname)) return undefined;
  try {
    decodeURIComponent(url.username + url.password);
    return text;
  } catch {
    // A stray "%" in user or password.
    return undefined;
  }
}

/** Reads `STORE_URL`. Problems never quote the value, because it contains a password. */
export function readStoreUrl(reader: EnvironmentReader): Secret | undefined {
  const example = "STORE_URL=redis://redis.internal:6379/0";
  const url = reader.secret("STORE_URL", example);
  if (url === undefined || revealStoreUrl(url)) return url;
  reader.refuse({
    name: "STORE_URL",
    fault: "must be redis:// or rediss://, then [user:password@]host[:port][/database number], nothing else.",
    example,
  });
  return undefined;
}
