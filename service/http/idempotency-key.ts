import type { Context } from "hono";
import { Failure } from "../../shared/errors.ts";
import { sha256 } from "../ids.ts";
import type { Idempotency } from "../store/idempotency.ts";

/** Visible ASCII, which covers a UUID, the IETF draft's quoted string and a clientMessageId. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns the `Idempotency-Key` of a request with the hash of its validated body, or undefined without one: the two
 * endpoints that take it are also called by clients that do not send it.
 *
 * @throws Failure `bad_request`
 */
export function readIdempotency(c: Context, body: unknown): Idempotency | undefined {
  const key = readKey(c);
  return key === undefined ? undefined : { key, bodyHash: sha256(JSON.stringify(body)) };
}

/** Reads the key of a request whose body is not JSON. @throws Failure `bad_request` */
export function readKey(c: Context): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new Failure("bad_request", {
      detail: "Idempotency-Key: must be 1 to 255 visible ASCII characters.",
    });
  }
  return key;
}
