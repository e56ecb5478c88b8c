import { Failure } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";

/** Any other member changes how a token must be read, and is refused (RFC 8725, 3.1). */
const MEMBERS: readonly string[] = ["alg", "kid", "typ"];

/** RFC 8725, 3.11: an access token or a logout token of the same signer is not an identity token. */
const TYPES: readonly unknown[] = ["jwt", "chat-id+jwt"];

const MAX_TOKEN_LENGTH = 8192;

/**
 * Splits a compact JWS: three segments of canonical base64url, and a header of known members, each once. It is stricter
 * than jose, because forged tokens succeed where two parsers read one token differently.
 *
 * @throws Failure identity_bad_signature
 */
export function parseTokenForm(token: string) {
  if (token.length > MAX_TOKEN_LENGTH) throw refusal("The token is longer than 8192 characters.");
  const segments = token.split(".");
  const [head = "", payload = ""] = segments;
  if (segments.length !== 3 || !segments.every(isCanonical))
    throw refusal("The token is not a JWT in compact form.");
  const header = parseMembers(Buffer.from(head, "base64url"));
  if (!header) throw refusal("header: not readable.");
  if (Object.keys(header).some((member) => !MEMBERS.includes(member))) {
    throw refusal("header: only alg, kid and typ may be in it.");
  }
  const { alg, kid, typ } = header;
  if (typeof alg !== "string") throw refusal("header: alg is missing.");
  if (typ !== undefined && !TYPES.includes(typeof typ === "string" ? typ.toLowerCase() : typ)) {
    throw refusal("header: typ must be JWT, or be left out.");
  }
  return {
    algorithm: alg,
    kid: typeof kid === "string" ? kid : undefined,
    /** The claims' bytes. */
    payload: Buffer.from(payload, "base64url"),
  };
}

/** No padding, no white space, no stray bits after the last byte: each byte string has one spelling. */
function isCanonical(segment: string): boolean {
  return segment !== "" && Buffer.from(segment, "base64url").toString("base64url") === segment;
}

/** A JSON object, parsed like request bodies: no duplicate keys, no inexact numbers. Undefined for anything else. */
export function parseMembers(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = parseJson(bytes);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function refusal(detail: string): Failure {
  return new Failure("identity_bad_signature", { detail });
}
