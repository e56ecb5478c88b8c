import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";

/**
 * Reads a JSON body: `application/json` alone, not compressed, at most 32 kB however its length was announced,
 * parsed strictly, and of exactly the schema's form.
 *
 * @throws Failure unsupported_media_type, body_too_large, bad_json, bad_request (naming the fields)
 */
export async function readBody<S extends z.ZodMiniType>(request: Request, schema: S): Promise<z.output<S>> {
  const { headers } = request;
  const mediaType = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  const encoding = headers.get("content-encoding");
  if (mediaType !== "application/json" || (encoding !== null && encoding.toLowerCase() !== "identity")) {
    throw new Failure("unsupported_media_type");
  }
  const parsed = schema.safeParse(parseJson(await readBytes(request)));
  if (parsed.success) return parsed.data;
  throw new Failure("bad_request", { detail: faultOf(parsed.error.issues) });
}

async function readBytes(request: Request): Promise<Uint8Array> {
  try {
    return await readLimited(request);
  } catch (cause) {
    // The client left in the middle of its body.
    throw cause instanceof Failure ? cause : new Failure("bad_json", { cause });
  }
}

async function readLimited(request: Request): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null) {
    if (!/^\d{1,15}$/.test(announced) || Number(announced) > MAX_BODY_BYTES)
      throw new Failure("body_too_large");
    // Node's parser gives no byte more than was announced, so this can't grow.
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > MAX_BODY_BYTES) throw new Failure("body_too_large");
    return bytes;
  }
  return readUnannounced(request.body);
}

async function readUnannounced(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new Failure("body_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

/** Names the first few faulty fields. Field names are ours or at least plain; values are never repeated. */
function faultOf(issues: readonly Issue[]): string {
  const sentences = issues.slice(0, 3).map((issue) => {
    if (issue.code === "unrecognized_keys") {
      return `${(issue.keys ?? []).slice(0, 3).map(plainName).join(", ")}: is not known here`;
    }
    const field = issue.path.map((part) => plainName(String(part))).join(".") || "the body";
    return `${field}: ${issue.message}`;
  });
  return `${sentences.join("; ")}.`;
}

function plainName(name: string): string {
  return name.replace(/[^\w.-]/g, "?").slice(0, 64);
}
