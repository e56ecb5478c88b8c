import { createHash } from "node:crypto";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import type { Secret } from "../../shared/server/secret.ts";

/** Where the shared store is, and the user and password for it. */
export interface StoreAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly database: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** The start of every key of a site, so that sites on one store do not see each other's state. */
export function keyPrefix(siteId: string): string {
  return `parley:${siteId}:`;
}

/** Hashes a customer's id or an address for keys that an erasure does not find: they must not reveal it. */
export function blind(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}

const DEFAULT_PORT = 6379;

/**
 * Parses `redis[s]://[user:password@]host[:port][/database]`; undefined for any other form. The whole address counts as a
 * secret: its parts go to the store's client and nowhere else.
 */
export function parseStoreAddress(secret: Secret): StoreAddress | undefined {
  const url = URL.parse(secret.reveal());
  if (!url || !["redis:", "rediss:"].includes(url.protocol) || url.hostname === "") return undefined;
  if (url.search || url.hash || !/^(\/\d{0,3})?$/.test(url.pathname)) return undefined;
  try {
    return {
      // The URL has an IPv6 address in brackets; the client takes it without.
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? DEFAULT_PORT : Number(url.port),
      tls: url.protocol === "rediss:",
      database: Number(url.pathname.slice(1)),
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
    };
  } catch {
    // A stray "%" in user or password.
    return undefined;
  }
}

/** Reads `STORE_URL`. Problems never quote the value, because it holds a password. */
export function readStoreUrl(reader: EnvironmentReader): Secret | undefined {
  const example = "STORE_URL=redis://redis.internal:6379/0";
  const url = reader.secret("STORE_URL", example);
  if (url === undefined || parseStoreAddress(url)) return url;
  reader.refuse({
    name: "STORE_URL",
    fault: "must be redis:// or rediss://, then [user:password@]host[:port][/database number], nothing else.",
    example,
  });
  return undefined;
}
