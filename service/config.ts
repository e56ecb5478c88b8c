import {
  ConfigError,
  createEnvironmentReader,
  type Environment,
  type EnvironmentReader,
  type ReadFile,
} from "../shared/server/environment.ts";
import { LOG_LEVELS, type LogLevel } from "../shared/server/log.ts";
import { readPublicUrl } from "../shared/server/public-url.ts";
import type { ConfiguredAgent } from "./agents/provider.ts";
import { configureAgents } from "./agents/providers.ts";
import type { ConfiguredAdapter } from "./handoff/adapter-kind.ts";
import { configureAdapters } from "./handoff/adapters.ts";
import type { OpenSource } from "./profiles/source-kind.ts";
import { configureSources } from "./profiles/sources.ts";
import { type Retention, USUAL_RETENTION } from "./retention.ts";
import { USUAL_LIMITS } from "./store/conversations.ts";
import type { StoreLimits } from "./store/store.ts";
import { configureMcpServers, type McpServerEntry } from "./tools/mcp-config.ts";

/** Names that this program offers to routes and configuration. */
export const CHANNELS = ["web"] as const;

export interface ServiceConfig {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** The https origin under which people open the desk, if it has a public name. */
  readonly publicUrl: string | undefined;
  /** How many of our own proxies are in front. */
  readonly trustedProxies: number;
  readonly isProxyCountUnset: boolean;
  readonly logLevel: LogLevel;
  /** In order of preference: the first that can answer is the default. */
  readonly agents: readonly ConfiguredAgent[];
  readonly adapters: readonly ConfiguredAdapter[];
  readonly sources: readonly OpenSource[];
  readonly mcpServers: readonly McpServerEntry[];
  /** Undefined: created at the first start and stored in the data folder. */
  readonly signingKey: string | undefined;
  /** Several while one replaces the other; none: hand-offs need no secret. */
  readonly handoffSecrets: readonly string[];
  readonly handoffSecretHeader: string;
  readonly publicKeyHeader: string;
  readonly storeLimits: StoreLimits;
  readonly retention: Retention;
  /** The names of all variables that this was read from. */
  readonly variables: ReadonlySet<string>;
}

/** The port next to the BFF's 3000. */
const DEFAULT_PORT = 3001;
const MIN_KEY_CHARACTERS = 32;
const MIN_SECRET_CHARACTERS = 16;
const MEBIBYTE = 1024 * 1024;

/**
 * Reads the service's configuration. Pure except for `readFile`, which reads the secrets that `NAME_FILE` names.
 * @throws ConfigError with every problem at once
 */
export function parseConfig(env: Environment, readFile: ReadFile): ServiceConfig {
  const reader = createEnvironmentReader(env, readFile);
  const { text, integer } = reader;
  if (text("DATABASE_URL") !== undefined) {
    reader.refuse({
      name: "DATABASE_URL",
      fault: "is not supported yet: unset it, the service stores its data in DATA_DIR.",
      example: "DATABASE_URL=",
    });
  }
  const config: ServiceConfig = {
    dataDir: reader.dataDir(),
    host: text("HOST") ?? "127.0.0.1",
    port: integer("PORT", { min: 0, max: 65_535, fallback: DEFAULT_PORT }),
    publicUrl: readPublicUrl(reader),
    trustedProxies: integer("TRUSTED_PROXIES", { min: 0, max: 10, fallback: 0 }),
    isProxyCountUnset: text("TRUSTED_PROXIES") === undefined,
    variables: reader.names,
    logLevel: reader.word("LOG_LEVEL", LOG_LEVELS, "info"),
    agents: configureAgents(reader),
    adapters: configureAdapters(reader),
    sources: configureSources(reader),
    mcpServers: configureMcpServers(reader),
    signingKey: readLong(reader, "SESSION_SIGNING_KEY", MIN_KEY_CHARACTERS),
    handoffSecrets: readSecrets(reader, "HANDOFF_SECRET"),
    handoffSecretHeader: reader.header("HANDOFF_SECRET_HEADER", "x-handoff-secret"),
    publicKeyHeader: reader.header("PUBLIC_KEY_HEADER", "x-public-key"),
    storeLimits: readStoreLimits(reader),
    retention: {
      handoffHours: integer("HANDOFF_WAIT_HOURS", {
        min: 1,
        max: 9999,
        fallback: USUAL_RETENTION.handoffHours,
      }),
      anonymousDays: integer("ANONYMOUS_DAYS", {
        min: 0,
        max: 9999,
        fallback: USUAL_RETENTION.anonymousDays,
      }),
    },
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults, reader.names);
  return config;
}

function readStoreLimits({ integer }: EnvironmentReader): StoreLimits {
  const { entries, bytes } = USUAL_LIMITS;
  return {
    fileQuotaBytes: integer("ATTACHMENT_STORAGE_MB", { min: 1, max: 9_999_999, fallback: 4096 }) * MEBIBYTE,
    conversationLimits: {
      entries: integer("CONVERSATION_ENTRIES", { min: 10, max: 100_000, fallback: entries }),
      bytes: integer("CONVERSATION_KB", { min: 100, max: 1_000_000, fallback: bytes / 1000 }) * 1000,
    },
  };
}

function readLong(reader: EnvironmentReader, name: string, least: number): string | undefined {
  const example = `${name}=$(openssl rand -base64 32)`;
  const value = reader.textOrFile(name, example);
  if (value !== undefined && value.length < least) {
    reader.refuse({ name, fault: `must have at least ${least} characters.`, example });
  }
  return value;
}

/** One secret, or several with white space between them: in a file each may have a line. */
function readSecrets(reader: EnvironmentReader, name: string): readonly string[] {
  const secrets = readLong(reader, name, MIN_SECRET_CHARACTERS)?.split(/\s+/) ?? [];
  if (secrets.length > 1 && secrets.some(({ length }) => length < MIN_SECRET_CHARACTERS)) {
    const fault = `must have at least ${MIN_SECRET_CHARACTERS} characters in each of the secrets that spaces separate.`;
    reader.refuse({ name, fault, example: `${name}="NEW OLD"` });
  }
  return secrets;
}
