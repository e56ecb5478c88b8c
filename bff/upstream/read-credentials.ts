import type { Auth } from "../../shared/operation.ts";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { isLoopback, parseUrl } from "../../shared/server/origin.ts";
import { V1_CONTRACT, type V1Id } from "../../shared/v1/contract.ts";

export type Credentials = ReturnType<typeof readCredentials>;

/** Reads `BASE_URL`. Undefined: the service runs in this process. */
export function readBaseUrl(reader: EnvironmentReader): string | undefined {
  const text = reader.text("BASE_URL");
  if (text === undefined) return undefined;
  const refuse = (fault: string) =>
    reader.refuse({ name: "BASE_URL", fault, example: "BASE_URL=https://support.example.com" });
  const url = parseUrl(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    refuse("must be an http(s) address.");
    return undefined;
  }
  if (url.username || url.password) refuse("must not contain a user or a password.");
  if (url.search || url.hash) refuse("must not contain a query or a fragment.");
  if (url.protocol === "http:" && !isLoopback(url)) refuse("must be https outside this machine.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Reads the credentials, the names of their headers and each operation's scheme (`AUTH_…`). */
export function readCredentials(reader: EnvironmentReader) {
  const hasBaseUrl = reader.text("BASE_URL") !== undefined;
  const application = reader.secret("APPLICATION_CREDENTIAL", "APPLICATION_CREDENTIAL=sk_…");
  const asked = reader.text("APPLICATION_CREDENTIAL") ?? reader.text("APPLICATION_CREDENTIAL_FILE");
  if (hasBaseUrl && asked === undefined) {
    reader.refuse({
      name: "APPLICATION_CREDENTIAL",
      fault: "is missing: the service at BASE_URL asks for it.",
      example: "APPLICATION_CREDENTIAL_FILE=/run/secrets/application_credential",
    });
  }
  if (!hasBaseUrl && asked !== undefined) {
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
    /** Undefined with the embedded service, which issues one for this process. */
    application,
    publicKey,
    publicKeyHeader: reader.header("PUBLIC_KEY_HEADER", "x-public-key"),
    handoffSecret,
    handoffSecretHeader: reader.header("HANDOFF_SECRET_HEADER", "x-handoff-secret"),
    schemes: readSchemes(reader),
  };
}

/** `endConversation` → `AUTH_END_CONVERSATION`. */
export function authVariable(id: string): string {
  return `AUTH_${id.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function readSchemes(reader: EnvironmentReader): Record<V1Id, Auth> {
  const schemes: Partial<Record<V1Id, Auth>> = {};
  for (const { id, auth } of V1_CONTRACT) {
    const name = authVariable(id);
    const scheme = reader.word(name, ["application", "session", "none"], auth);
    const refuse = (fault: string) => reader.refuse({ name, fault, example: `${name}=application` });
    if (id === "identify" && scheme !== "application")
      refuse("must be application: the service's interface says so.");
    if (id === "sessions" && scheme === "session")
      refuse("can't be session: this call is the one that gives the session token.");
    schemes[id] = scheme;
  }
  return schemes as Record<V1Id, Auth>;
}
