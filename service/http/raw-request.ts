import { Failure } from "../../shared/errors.ts";

/** A call from another server, as its signature covers it: the unparsed bytes of the body. */
export interface RawRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Vendors send up to a few hundred events per call. */
export const MAX_HOOK_BYTES = 512 * 1024;

/** Slow senders are disconnected after this, so that they can't hold memory; vendors wait 3 to 20 s for an answer. */
const HOOK_MS = 10_000;

/**
 * Reads a request's body, limited in size and time.
 * @throws Failure `body_too_large`, `bad_request` when the body does not arrive
 */
export async function readRaw(request: Request, timeout = AbortSignal.timeout(HOOK_MS)): Promise<RawRequest> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  const stop = () => void reader?.cancel().catch(() => undefined);
  timeout.addEventListener("abort", stop, { once: true });
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      size += next.value.byteLength;
      if (size > MAX_HOOK_BYTES) {
        const detail = `The body is larger than ${MAX_HOOK_BYTES / 1024} kB.`;
        throw new Failure("body_too_large", { detail });
      }
      chunks.push(next.value);
    }
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure("bad_request", { cause });
  } finally {
    timeout.removeEventListener("abort", stop);
  }
  if (timeout.aborted)
    throw new Failure("bad_request", { detail: "The request body did not arrive in time." });
  return { headers: request.headers, body: Buffer.concat(chunks, size) };
}
