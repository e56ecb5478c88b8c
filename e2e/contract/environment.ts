import type { Auth } from "../../shared/operation.ts";
import { V1_CONTRACT, type V1Id } from "../../shared/v1/contract.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The service's address and how each call authenticates: the same variables that a BFF reads. */
export interface ServiceAddress {
  readonly baseUrl: string;
  readonly credential: string;
  /** Sent with calls that carry a credential or a session, if the service requires it. */
  readonly publicKey: Header | undefined;
  readonly handoffSecret: Header | undefined;
  readonly schemes: Readonly<Record<V1Id, Auth>>;
}

export interface Header {
  readonly header: string;
  readonly value: string;
}

/**
 * The service can't be tested; `message` is for the person who started the suite, one sentence per line, without a
 * stack.
 */
export class TargetError extends Error {
  override readonly name = "TargetError";

  constructor(message: string) {
    super(message);
    this.stack = message;
  }
}

/** How each call of our own service authenticates, and those of other services whose `AUTH_*` are unset. */
export const DEFAULT_SCHEMES = Object.fromEntries(V1_CONTRACT.map(({ id, auth }) => [id, auth])) as Readonly<
  Record<V1Id, Auth>
>;

/**
 * Reads the service that `BASE_URL` names (`CONTRACT_BASE_URL` here, see vitest.config.ts) from the variables that a
 * BFF reads; undefined if none is named. Pure except for `readFile`.
 *
 * @throws TargetError with every fault at once
 */
export function readAddress(
  env: Environment,
  readFile: (path: string) => string,
): ServiceAddress | undefined {
  const faults: string[] = [];
  const text = (name: string) => env[name]?.trim() || undefined;
  const secret = (name: string) => readSecret(name, text, readFile, faults);
  const baseUrl = text("CONTRACT_BASE_URL");
  if (baseUrl === undefined) return undefined;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    faults.push("BASE_URL must be an http(s) address, such as https://support.example.com.");
  }
  const credential = secret("APPLICATION_CREDENTIAL");
  if (credential === undefined && faults.length === 0) {
    faults.push("BASE_URL is set: set APPLICATION_CREDENTIAL or APPLICATION_CREDENTIAL_FILE too.");
  }
  const header = (name: string, usual: string, value: string | undefined) =>
    value === undefined ? undefined : { header: text(name) ?? usual, value };
  const address = {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    credential: credential ?? "",
    publicKey: header("PUBLIC_KEY_HEADER", "x-public-key", text("APPLICATION_PUBLIC_KEY")),
    handoffSecret: header("HANDOFF_SECRET_HEADER", "x-handoff-secret", secret("HANDOFF_SECRET")),
    schemes: readSchemes(text, faults),
  };
  if (faults.length > 0) throw new TargetError(faults.join("\n"));
  return address;
}

type Text = (name: string) => string | undefined;

function readSecret(
  name: string,
  text: Text,
  readFile: (path: string) => string,
  faults: string[],
): string | undefined {
  const path = text(`${name}_FILE`);
  if (path === undefined) return text(name);
  if (text(name) !== undefined) faults.push(`${name} is set, and ${name}_FILE too: set one of them.`);
  try {
    const value = readFile(path).trim();
    if (value === "") faults.push(`${name}_FILE names an empty file.`);
    return value || undefined;
  } catch {
    faults.push(`${name}_FILE names a file that can't be read.`);
    return undefined;
  }
}

/** `endConversation` is `AUTH_END_CONVERSATION`, as for the BFF. */
function readSchemes(text: Text, faults: string[]): Record<V1Id, Auth> {
  const schemes: Record<V1Id, Auth> = { ...DEFAULT_SCHEMES };
  for (const { id } of V1_CONTRACT) {
    const name = `AUTH_${id.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
    const scheme = text(name);
    if (scheme === undefined) continue;
    if (scheme === "application" || scheme === "session" || scheme === "none") schemes[id] = scheme;
    else faults.push(`${name} must be one of application, session, none.`);
  }
  return schemes;
}
