import { createHmac, timingSafeEqual } from "node:crypto";
import { Failure } from "../../shared/errors.ts";
import type { RawRequest } from "./raw-request.ts";

/** Older or newer calls are refused (https://www.standardwebhooks.com, "Webhook timestamp"). */
const TOLERANCE_SECONDS = 5 * 60;
const BAD_TIME = "The webhook-id or the webhook-timestamp is not accepted: a call is valid for five minutes.";
const BAD_SIGNATURE = "No signature in webhook-signature is accepted for this id, time and body.";
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/**
 * Returns the key of a Standard Webhooks secret (`whsec_` and base64 of 24 to 64 bytes), or undefined for other text.
 */
export function readWebhookKey(secret: string): Buffer | undefined {
  const [, base64 = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(base64, "base64");
  return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES ? key : undefined;
}

/**
 * Checks a call by Standard Webhooks, version 1 (HMAC-SHA256 over id, timestamp and the bytes of the body), and returns
 * its id, which stays the same when the sender repeats it. Several signatures may be given while a secret is rotated.
 *
 * @throws Failure `unauthenticated`
 */
export function verifyStandardWebhook({ headers, body }: RawRequest, key: Buffer, now: number): string {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const isTimely =
    /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  if (!/^[\x21-\x7e]{1,128}$/.test(id) || id.includes(".") || !isTimely)
    throw new Failure("unauthenticated", { detail: BAD_TIME });
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  const given = (headers.get("webhook-signature") ?? "").split(" ");
  if (!given.some((signature) => isEqual(signature, expected)))
    throw new Failure("unauthenticated", { detail: BAD_SIGNATURE });
  return id;
}

/** The three headers of a call of ours by Standard Webhooks. @param id the same when the call is repeated */
export function signStandardWebhook(
  { id, body }: { readonly id: string; readonly body: string },
  key: Buffer,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

function isEqual(signature: string, expected: Buffer): boolean {
  const [, base64] = /^v1,([A-Za-z0-9+/=]+)$/.exec(signature) ?? [];
  const bytes = Buffer.from(base64 ?? "", "base64");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
