import { StartError } from "../shared/server/start-error.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What this program brings: names that routes and configuration use. */
export const CHANNELS = ["web"] as const;
export const AGENT_IDS = ["knowledge"] as const;
export const ADAPTER_IDS = ["desk"] as const;
export type AgentId = (typeof AGENT_IDS)[number];
export type AdapterId = (typeof ADAPTER_IDS)[number];

export interface ServiceConfig {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** How many proxies of our own stand in front. */
  readonly trustedProxies: number;
  readonly logLevel: LogLevel;
  /** Undefined: the articles of the demo. */
  readonly knowledgeDir: string | undefined;
  /** Where an article's address without a host begins. */
  readonly knowledgeUrl: string | undefined;
  readonly agentProviders: readonly AgentId[];
  readonly handoffAdapters: readonly AdapterId[];
  /** Undefined: one is made at the first start and kept in the data folder. */
  readonly signingKey: string | undefined;
  readonly handoffSecret: string | undefined;
  readonly handoffSecretHeader: string;
  readonly publicKeyHeader: string;
  /** Most bytes of all files of one workspace. */
  readonly fileQuotaBytes: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** One fault: `fault` is a sentence that goes on after the variable's name. */
export interface Problem {
  readonly name: string;
  readonly fault: string;
  readonly example: string;
}

/** Everything that is wrong with the configuration, one line each with the variable's name and an example. */
export class ConfigError extends StartError {
  override readonly name = "ConfigError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(
      problems.map(({ name, fault, example }) => `${name} ${fault} Example: ${name}=${example}`).join("\n"),
    );
    this.problems = problems;
  }
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MIN_KEY_CHARACTERS = 32;
const MIN_SECRET_CHARACTERS = 16;

/**
 * The service's configuration from its environment. Pure but for `readFile`, which reads the secrets named by `NAME_FILE`.
 * An empty variable counts as unset.
 *
 * @throws ConfigError with every problem at once
 */
export function parseConfig(env: Environment, readFile: (path: string) => string): ServiceConfig {
  const problems: Problem[] = [];
  const report = (name: string, fault: string, example: string) => problems.push({ name, fault, example });
  const text = (name: string) => env[name]?.trim() || undefined;
  const secret = (name: string) => readSecret({ text, readFile, report }, name);
  if (text("DATABASE_URL") !== undefined) {
    report("DATABASE_URL", "is not supported yet: unset it, the service keeps its data in DATA_DIR.", "");
  }
  const config: ServiceConfig = {
    dataDir: text("DATA_DIR") ?? "./data",
    host: text("HOST") ?? "127.0.0.1",
    port: parsePort(text("PORT"), report),
    trustedProxies: parseProxies(text("TRUSTED_PROXIES"), report),
    logLevel: parseLogLevel(text("LOG_LEVEL"), report),
    knowledgeDir: text("KNOWLEDGE_DIR"),
    knowledgeUrl: parseKnowledgeUrl(text("KNOWLEDGE_URL"), report),
    agentProviders: parseList("AGENT_PROVIDERS", text("AGENT_PROVIDERS") ?? "knowledge", AGENT_IDS, report),
    handoffAdapters:
      text("HANDOFF_ADAPTERS") === "none"
        ? []
        : parseList("HANDOFF_ADAPTERS", text("HANDOFF_ADAPTERS") ?? "desk", ADAPTER_IDS, report),
    signingKey: longEnough("SESSION_SIGNING_KEY", secret("SESSION_SIGNING_KEY"), MIN_KEY_CHARACTERS, report),
    handoffSecret: longEnough("HANDOFF_SECRET", secret("HANDOFF_SECRET"), MIN_SECRET_CHARACTERS, report),
    handoffSecretHeader: parseHeader("HANDOFF_SECRET_HEADER", text, "x-handoff-secret", report),
    fileQuotaBytes: parseFileQuota(text("ATTACHMENT_STORAGE_MB"), report),
    publicKeyHeader: parseHeader("PUBLIC_KEY_HEADER", text, "x-public-key", report),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

type Report = (name: string, fault: string, example: string) => void;
type Text = (name: string) => string | undefined;

/** Beside the BFF, which has 3000. */
const DEFAULT_PORT = 3001;

function parsePort(value: string | undefined, report: Report): number {
  if (value === undefined) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : -1;
  if (port < 0 || port > 65_535) report("PORT", "must be a number from 0 to 65535.", String(DEFAULT_PORT));
  return port;
}

function parseFileQuota(value: string | undefined, report: Report): number {
  const mebibytes = /^\d{1,7}$/.test(value ?? "4096") ? Number(value ?? 4096) : -1;
  if (mebibytes < 1) report("ATTACHMENT_STORAGE_MB", "must be a number from 1 to 9999999.", "4096");
  return mebibytes * 1024 * 1024;
}

function parseProxies(value: string | undefined, report: Report): number {
  if (value === undefined) return 0;
  if (!/^(\d|10)$/.test(value)) report("TRUSTED_PROXIES", "must be a number from 0 to 10.", "1");
  return Number(value);
}

function parseKnowledgeUrl(value: string | undefined, report: Report): string | undefined {
  const url = value === undefined ? undefined : URL.parse(value);
  if (url === null || (url && !/^https?:$/.test(url.protocol))) {
    report("KNOWLEDGE_URL", "must be an http(s) address.", "https://www.example.com");
  }
  return url?.href;
}

function parseLogLevel(value: string | undefined, report: Report): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (value ?? "info"));
  if (!level) report("LOG_LEVEL", `must be one of ${LOG_LEVELS.join(", ")}.`, "info");
  return level ?? "info";
}

function parseList<const T extends string>(
  name: string,
  value: string,
  known: readonly T[],
  report: Report,
): readonly T[] {
  const wanted = [...new Set(value.split(/[\s,]+/).filter((item) => item !== ""))];
  const found = known.filter((item) => wanted.includes(item));
  if (wanted.length === 0 || found.length < wanted.length) {
    report(name, `must be a list of ${known.join(", ")}.`, known.join(","));
  }
  return wanted.flatMap((item) => found.filter((one) => one === item));
}

function parseHeader(name: string, text: Text, usual: string, report: Report): string {
  const header = text(name) ?? usual;
  if (!HEADER_NAME.test(header)) report(name, "must be the name of an HTTP header.", usual);
  return header.toLowerCase();
}

function longEnough(
  name: string,
  value: string | undefined,
  least: number,
  report: Report,
): string | undefined {
  if (value !== undefined && value.length < least) {
    report(name, `must have at least ${least} characters.`, "$(openssl rand -base64 32)");
  }
  return value;
}

/** `NAME`, or the content of the file that `NAME_FILE` names; never a word of it in a problem. */
function readSecret(
  from: { text: Text; readFile: (path: string) => string; report: Report },
  name: string,
): string | undefined {
  const direct = from.text(name);
  const path = from.text(`${name}_FILE`);
  if (path === undefined) return direct;
  if (direct !== undefined) {
    from.report(
      `${name}_FILE`,
      `is set beside ${name}: set one of them.`,
      `/run/secrets/${name.toLowerCase()}`,
    );
    return direct;
  }
  try {
    const content = from.readFile(path).trim();
    if (content === "")
      from.report(`${name}_FILE`, "names an empty file.", `/run/secrets/${name.toLowerCase()}`);
    return content || undefined;
  } catch {
    from.report(`${name}_FILE`, "names a file that can't be read.", `/run/secrets/${name.toLowerCase()}`);
    return undefined;
  }
}
