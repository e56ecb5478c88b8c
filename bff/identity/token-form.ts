import { Failure } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";

/** What a token's header may hold. Any other member changes how a token is to be read, and is refused (RFC 8725, 3.1). */
const MEMBERS: ReadonlySet<string> = new Set(["alg", "kid", "typ"]);

/** RFC 8725, 3.11: an access token or a logout token of the same signer is no identity token. */
const TYPES: ReadonlySet<string> = new Set(["jwt", "chat-id+jwt"]);

const MAX_TOKEN_LENGTH = 8192;

/** A token taken apart: nothing of it is believed. */
export interface TokenForm {
  readonly algorithm: string;
  readonly kid: string | undefined;
  /** The claims' bytes. */
  readonly payload: Uint8Array;
}

/**
 * Takes a compact JWS apart, strictly: three segments of canonical base64url, a header of known members, each once.
 * Two readers that read one token differently are how forged ones get through.
 *
 * @throws Failure identity_bad_signature
 */
export function parseTokenForm(token: string): TokenForm {
  if (token.length > MAX_TOKEN_LENGTH) throw refusal("The token is longer than 8192 characters.");
  const segments = token.split(".");
  const [head, payload, signature] = segments;
  if (segments.length !== 3 || !head || !payload || !signature || !segments.every(isCanonical)) {
    throw refusal("The token is no JWT in compact form.");
  }
  const header = parseHeader(head);
  for (const member of Object.keys(header)) {
    if (!MEMBERS.has(member)) throw refusal("header: only alg, kid and typ may be in it.");
  }
  const { alg, kid, typ } = header;
  if (typeof alg !== "string") throw refusal("header: alg is missing.");
  if (typ !== undefined && !(typeof typ === "string" && TYPES.has(typ.toLowerCase()))) {
    throw refusal("header: typ must be JWT, or be left out.");
  }
  return {
    algorithm: alg,
    kid: typeof kid === "string" ? kid : undefined,
    payload: Buffer.from(payload, "base64url"),
  };
}

/** No padding, no white space, no stray bits behind the last byte: one byte string, one spelling. */
function isCanonical(segment: string): boolean {
  return (
    /^[A-Za-z0-9_-]+$/.test(segment) && Buffer.from(segment, "base64url").toString("base64url") === segment
  );
}

function parseHeader(segment: string): Record<string, unknown> {
  const header = parseMember(Buffer.from(segment, "base64url"));
  if (!header) throw refusal("header: not readable.");
  return header;
}

/** An object of JSON as the gate reads bodies: no key twice, no inexact number, UTF-8 alone. Undefined for anything else. */
export function parseMember(bytes: Uint8Array): Record<string, unknown> | undefined {
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
