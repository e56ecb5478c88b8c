import type { Context } from "hono";
import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";

/** Faults that one answer names; the first ones are enough to go on. */
const MAX_NAMED_FAULTS = 3;
const MAX_FAULT_CHARACTERS = 120;

/**
 * Reads, limits and checks a JSON body.
 *
 * @throws Failure `unsupported_media_type`, `body_too_large`, `bad_json`, and `bad_request` naming the fields
 */
export async function readBody<Schema extends z.ZodMiniType>(
  c: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const type = c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json" || c.req.header("content-encoding") !== undefined) {
    throw new Failure("unsupported_media_type");
  }
  const parsed = schema.safeParse(parseJson(await readLimited(c)));
  if (!parsed.success) throw new Failure("bad_request", { detail: nameFaults(parsed.error.issues) });
  return parsed.data;
}

/** At most 32 kB, counted as they arrive: a header may say less than is sent, or nothing. */
async function readLimited(c: Context): Promise<Uint8Array> {
  const declared = c.req.header("content-length");
  if (declared !== undefined) {
    if (!(Number(declared) <= MAX_BODY_BYTES)) throw tooLarge(c);
    // Node's parser ends the body at the declared length, so this can't grow; in process it is counted below.
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (bytes.length > MAX_BODY_BYTES) throw tooLarge(c);
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge(c);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(c: Context): Failure {
  // The rest of the body is not read: the connection can't serve another request.
  c.header("connection", "close");
  return new Failure("body_too_large");
}

function nameFaults(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const faults = issues.slice(0, MAX_NAMED_FAULTS).map((issue) => {
    const field = issue.path.map(String).join(".") || "body";
    return `${field}: ${issue.message}`.slice(0, MAX_FAULT_CHARACTERS);
  });
  return `${faults.join("; ")}.`.toWellFormed();
}
