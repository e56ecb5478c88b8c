import type { PublicConfig } from "../shared/api/config.ts";
import {
  ConfigError,
  createEnvironmentReader,
  type Environment,
  type EnvironmentReader,
  type ReadFile,
} from "../shared/server/environment.ts";
import { LOG_LEVELS } from "../shared/server/log.ts";
import { parseUrl } from "../shared/server/origin.ts";
import { readLimits } from "./gate/limits.ts";
import { readOrigins } from "./gate/read-origins.ts";
import { readIdentity } from "./identity/read-keys.ts";
import { readMetrics } from "./metrics/metrics-door.ts";
import { readRouting } from "./routing/settings.ts";
import { readStoreUrl } from "./store/store-address.ts";
import { readBaseUrl, readCredentials } from "./upstream/read-credentials.ts";

export type Config = ReturnType<typeof parseConfig>;

/** Reads the whole configuration. @throws ConfigError with every problem at once */
export function parseConfig(env: Environment, readFile: ReadFile) {
  const reader = createEnvironmentReader(env, readFile);
  const baseUrl = readBaseUrl(reader);
  // The demo needs IPv4: it uses both names of this machine, and some systems resolve `localhost` to IPv6 only.
  const host = (reader.text("HOST") ?? "127.0.0.1").replace(/^localhost$/i, "127.0.0.1");
  const port = reader.integer("PORT", { min: 1, max: 65_535, fallback: 3000 });
  const config = {
    /** Undefined: the service runs in this process. */
    baseUrl,
    credentials: readCredentials(reader),
    ...readOrigins(reader, { host, port }),
    siteId: readSiteId(reader),
    identity: readIdentity(reader),
    dataDir: reader.dataDir(),
    storeUrl: readStoreUrl(reader),
    fallback: readFallback(reader),
    routing: readRouting(reader),
    trustedProxies: reader.integer("TRUSTED_PROXIES", { min: 0, max: 10, fallback: 0 }),
    isProxyCountUnset: reader.text("TRUSTED_PROXIES") === undefined,
    host,
    port,
    logLevel: reader.word("LOG_LEVEL", LOG_LEVELS, "info"),
    limits: readLimits(reader),
    metrics: readMetrics(reader, port),
    variables: reader.names,
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults, reader.names);
  return config;
}

/** Reads `SITE_ID`, which identity tokens carry as `aud`. */
export function readSiteId(reader: EnvironmentReader): string {
  const siteId = reader.text("SITE_ID") ?? "parley";
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(siteId)) {
    reader.refuse({
      name: "SITE_ID",
      fault: "must be 1 to 128 letters, digits or . _ : -",
      example: "SITE_ID=parley",
    });
  }
  return siteId;
}

const FALLBACK_KINDS = [
  [/^mailto:\S+@\S+$/i, "mail"],
  [/^tel:[-+*().\d\s]*\d(;\S+)?$/i, "phone"],
  [/^https:\S+$/i, "link"],
] as const;

/** Reads `FALLBACK`: another way to reach help, shown while support is unreachable. */
function readFallback(reader: EnvironmentReader): PublicConfig["fallback"] {
  const text = reader.text("FALLBACK");
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  const [, kind] = FALLBACK_KINDS.find(([form]) => form.test(text)) ?? [];
  if (url && kind && text.length <= 500 && !url.username && !url.password) return { kind, href: url.href };
  reader.refuse({
    name: "FALLBACK",
    fault: "must be mailto: and an address, tel: and a number, or an https: address.",
    example: "FALLBACK=mailto:help@example.com",
  });
  return undefined;
}
