import type { Auth } from "../shared/operation.ts";
import {
  ConfigError,
  createEnvironmentReader,
  type Environment,
  type EnvironmentReader,
} from "../shared/server/environment.ts";
import type { Secret } from "../shared/server/secret.ts";
import type { V1Id } from "../shared/v1/contract.ts";
import { V1_OPERATIONS } from "../shared/v1/contract.ts";
import { type LimitSettings, readLimits } from "./gate/limits.ts";
import { type IdentitySettings, readIdentity } from "./identity/read-keys.ts";
import { isLoopback, isOrigin, originAt, parseUrl } from "./origin.ts";
import { parseStoreAddress } from "./redis/store-address.ts";
import type { Routing } from "./routing/decide.ts";
import { readRouting } from "./routing/settings.ts";

/** Where else help is to be had; public by nature. */
export interface Fallback {
  readonly kind: "mail" | "phone" | "link";
  readonly href: string;
}

/** How calls to the service prove who makes them. */
export interface Credentials {
  /** Absent with the embedded service, which issues one for this process. */
  readonly application?: Secret;
  readonly publicKey?: string;
  readonly publicKeyHeader: string;
  readonly handoffSecret?: Secret;
  readonly handoffSecretHeader: string;
  readonly schemes: Readonly<Record<V1Id, Auth>>;
}

export interface Config {
  /** Undefined: the service runs in this process. */
  readonly baseUrl: string | undefined;
  readonly credentials: Credentials;
  readonly publicUrl: string | undefined;
  /** Origins that this BFF itself answers under. */
  readonly ownOrigins: readonly string[];
  /** Origins of pages that may show the panel. */
  readonly allowedOrigins: readonly string[];
  readonly siteId: string;
  readonly identity: IdentitySettings;
  readonly dataDir: string;
  /** The address of the store that several BFFs share, which holds its password; without it all is kept in `dataDir`. */
  readonly storeUrl: Secret | undefined;
  readonly fallback: Fallback | undefined;
  /** What the owner asks the service's selection for; the service's verified answer decides. */
  readonly routing: Routing;
  readonly trustedProxies: number;
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly limits: LimitSettings;
  readonly metrics: MetricsSettings;
  /** Whether `GET /api/doctor` answers. */
  readonly doctor: boolean;
}

/** Where the metrics are given: on a port of their own, or on this one to who has the token; with neither, nowhere. */
export interface MetricsSettings {
  readonly port?: number;
  readonly token?: Secret;
}

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Reads the whole configuration from the environment; pure but for `readFile`, which `NAME_FILE` variables need.
 * @throws ConfigError with every fault at once
 */
export function parseConfig(env: Environment, readFile: (path: string) => string): Config {
  const reader = createEnvironmentReader(env, readFile);
  const baseUrl = readBaseUrl(reader);
  // The demo has two origins, by two names of one address: a machine may take this name for an IPv6 address alone.
  const host = (reader.text("HOST") ?? "127.0.0.1").replace(/^localhost$/i, "127.0.0.1");
  const port = reader.integer("PORT", { min: 1, max: 65_535, fallback: 3000 });
  const config: Config = {
    baseUrl,
    credentials: readCredentials(reader, baseUrl),
    ...readOrigins(reader, originsAt(host, port)),
    siteId: readSiteId(reader),
    identity: readIdentity(reader, readFile),
    dataDir: reader.text("DATA_DIR") ?? "./data",
    storeUrl: readStoreUrl(reader),
    fallback: readFallback(reader),
    routing: routingFrom(reader, env, readFile),
    trustedProxies: reader.integer("TRUSTED_PROXIES", { min: 0, max: 10, fallback: 0 }),
    host,
    port,
    logLevel: reader.word("LOG_LEVEL", LOG_LEVELS, "info"),
    limits: readLimits(reader),
    metrics: readMetrics(reader, port),
    doctor: reader.word("DOCTOR", ["on", "off"], reader.text("PUBLIC_URL") ? "off" : "on") === "on",
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  return config;
}

function readBaseUrl(reader: EnvironmentReader): string | undefined {
  const text = reader.text("BASE_URL");
  if (text === undefined) return undefined;
  const refuse = (fault: string) =>
    reader.refuse({ name: "BASE_URL", fault, example: "BASE_URL=https://support.example.com" });
  const url = parseUrl(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    refuse("must be an http(s) address.");
    return undefined;
  }
  if (url.username || url.password) refuse("must not hold a user or a password.");
  if (url.search || url.hash) refuse("must not hold a query or a fragment.");
  if (url.protocol === "http:" && !isLoopback(url)) refuse("must be https outside this machine.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function readCredentials(reader: EnvironmentReader, baseUrl: string | undefined): Credentials {
  const application = reader.secret("APPLICATION_CREDENTIAL", "APPLICATION_CREDENTIAL=sk_…");
  const asked = reader.text("APPLICATION_CREDENTIAL") ?? reader.text("APPLICATION_CREDENTIAL_FILE");
  if (reader.text("BASE_URL") !== undefined && asked === undefined) {
    reader.refuse({
      name: "APPLICATION_CREDENTIAL",
      fault: "is missing: the service at BASE_URL asks for it.",
      example: "APPLICATION_CREDENTIAL_FILE=/run/secrets/application_credential",
    });
  }
  if (reader.text("BASE_URL") === undefined && baseUrl === undefined && asked !== undefined) {
    reader.refuse({
      name: "APPLICATION_CREDENTIAL",
      fault: "is set without BASE_URL: the embedded service issues its own. Set BASE_URL, or unset this.",
      example: "BASE_URL=https://support.example.com",
    });
  }
  const publicKey = reader.text("APPLICATION_PUBLIC_KEY");
  const handoffSecret = reader.secret("HANDOFF_SECRET", "HANDOFF_SECRET_FILE=/run/secrets/handoff_secret");
  if (publicKey !== undefined && !/^[\x21-\x7e]{1,1024}$/.test(publicKey)) {
    reader.refuse({
      name: "APPLICATION_PUBLIC_KEY",
      fault: "must be printable ASCII without spaces.",
      example: "APPLICATION_PUBLIC_KEY=pk_…",
    });
  }
  return {
    ...(application ? { application } : {}),
    ...(publicKey ? { publicKey } : {}),
    publicKeyHeader: readHeaderName(reader, "PUBLIC_KEY_HEADER", "x-public-key"),
    ...(handoffSecret ? { handoffSecret } : {}),
    handoffSecretHeader: readHeaderName(reader, "HANDOFF_SECRET_HEADER", "x-handoff-secret"),
    schemes: readSchemes(reader),
  };
}

/** Headers that the connection itself needs, and the one that the schemes use. */
const TAKEN_HEADERS =
  /^(authorization|accept|content-.*|host|connection|transfer-encoding|idempotency-key|last-event-id|cookie|te|upgrade|expect)$/;

function readHeaderName(reader: EnvironmentReader, name: string, fallback: string): string {
  const header = (reader.text(name) ?? fallback).toLowerCase();
  if (/^[a-z0-9-]{1,64}$/.test(header) && !TAKEN_HEADERS.test(header)) return header;
  reader.refuse({ name, fault: "must be the name of a header of its own.", example: `${name}=${fallback}` });
  return fallback;
}

/** `endConversation` → `AUTH_END_CONVERSATION`. */
export function authVariable(id: string): string {
  return `AUTH_${id.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function readSchemes(reader: EnvironmentReader): Record<V1Id, Auth> {
  const schemes: Partial<Record<V1Id, Auth>> = {};
  for (const { id, auth } of V1_OPERATIONS) {
    const name = authVariable(id);
    const scheme = reader.word(name, ["application", "session", "none"], auth);
    if (id === "identify" && scheme !== "application") {
      reader.refuse({
        name,
        fault: "must be application: the service's interface says so.",
        example: `${name}=application`,
      });
    }
    if (id === "sessions" && scheme === "session") {
      reader.refuse({
        name,
        fault: "can't be session: this call is the one that gives the session token.",
        example: `${name}=application`,
      });
    }
    schemes[id] = scheme;
  }
  return schemes as Record<V1Id, Auth>;
}

/** What browsers may know this server by, where nobody said it: its one address, and this machine's two names. */
function originsAt(host: string, port: number): readonly string[] {
  const here = ["localhost", "127.0.0.1"].flatMap((name) => originAt(name, port) ?? []);
  const own = originAt(host, port);
  return own === undefined || here.includes(own) ? here : [own, ...here];
}

function readOrigins(
  reader: EnvironmentReader,
  atHost: readonly string[],
): Pick<Config, "publicUrl" | "ownOrigins" | "allowedOrigins"> {
  const publicUrl = readPublicUrl(reader);
  const listed = reader
    .text("ALLOWED_ORIGINS")
    ?.split(/[\s,]+/)
    .filter(Boolean);
  for (const origin of listed ?? []) {
    if (!isOrigin(origin)) {
      reader.refuse({
        name: "ALLOWED_ORIGINS",
        fault: `holds "${origin.slice(0, 100)}", which is no exact origin (scheme, host and port, nothing else).`,
        example: "ALLOWED_ORIGINS=https://www.example.com,https://shop.example.com",
      });
    }
  }
  if (reader.text("PUBLIC_URL") !== undefined && !listed) {
    reader.refuse({
      name: "ALLOWED_ORIGINS",
      fault: "is missing: with PUBLIC_URL set, name the sites that may show the panel.",
      example: "ALLOWED_ORIGINS=https://www.example.com",
    });
  }
  return {
    publicUrl,
    ownOrigins: publicUrl === undefined ? atHost : [publicUrl],
    allowedOrigins: listed ?? atHost,
  };
}

function readPublicUrl(reader: EnvironmentReader): string | undefined {
  const text = reader.text("PUBLIC_URL");
  if (text === undefined) return undefined;
  const origin = text.replace(/\/$/, "");
  const url = parseUrl(origin);
  if (url && isOrigin(origin) && (url.protocol === "https:" || isLoopback(url))) return origin;
  reader.refuse({
    name: "PUBLIC_URL",
    fault: "must be the https origin that browsers reach this server under, without a path.",
    example: "PUBLIC_URL=https://chat.example.com",
  });
  return undefined;
}

/** The name of the site, which identity tokens carry as `aud`. */
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

const FALLBACK_KINDS: Readonly<Record<string, Fallback["kind"]>> = {
  "mailto:": "mail",
  "tel:": "phone",
  "https:": "link",
};

function readFallback(reader: EnvironmentReader): Fallback | undefined {
  const text = reader.text("FALLBACK");
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  const kind = url ? FALLBACK_KINDS[url.protocol] : undefined;
  if (url && kind && text.length <= 500 && !url.username && !url.password) return { kind, href: url.href };
  reader.refuse({
    name: "FALLBACK",
    fault: "must be a mailto:, tel: or https: address.",
    example: "FALLBACK=mailto:help@example.com",
  });
  return undefined;
}

/** Faults of the routing join the others; the empty one that then stands in for it is seen by nobody. */
function routingFrom(
  reader: EnvironmentReader,
  env: Environment,
  readFile: (path: string) => string,
): Routing {
  const routing = readRouting(env, readFile);
  if (routing.ok) return routing.value;
  for (const fault of routing.faults) reader.refuse(fault);
  return { rules: [], defaults: {}, hours: undefined };
}

function readMetrics(reader: EnvironmentReader, port: number): MetricsSettings {
  const token = reader.secret("METRICS_TOKEN", "METRICS_TOKEN_FILE=/run/secrets/metrics_token");
  const isAsked = reader.text("METRICS_PORT") !== undefined;
  const own = reader.integer("METRICS_PORT", { min: 1, max: 65_535, fallback: 9464 });
  if (isAsked && own === port) {
    reader.refuse({
      name: "METRICS_PORT",
      fault: "is the port of the chat itself: metrics are not for everybody.",
      example: "METRICS_PORT=9464",
    });
  }
  return { ...(isAsked ? { port: own } : {}), ...(token ? { token } : {}) };
}

/** Where the shared store is. What is wrong is said without the value: a password is in it. */
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
