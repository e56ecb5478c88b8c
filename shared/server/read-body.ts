import type * as z from "zod/mini";
import { Failure } from "../errors.ts";
import { parseJson } from "../json.ts";
import { MAX_BODY_BYTES } from "../limits.ts";
import { readUpTo } from "./read-up-to.ts";

/** Problems named in one answer; more would not help the caller. */
const MAX_NAMED = 3;
const MAX_NAME = 64;

/**
 * Reads a JSON body of type `application/json`, uncompressed, of at most `maxBytes` (32 kB) whatever length was announced,
 * and checks it against `schema`.
 *
 * @throws Failure unsupported_media_type, body_too_large, bad_json, bad_request (naming the fields)
 */
export async function readBody<S extends z.ZodMiniType>(
  request: Request,
  schema: S,
  maxBytes = MAX_BODY_BYTES,
): Promise<z.output<S>> {
  const { headers } = request;
  const isJson = /^\s*application\/json\s*(?:;|$)/i.test(headers.get("content-type") ?? "");
  const encoding = headers.get("content-encoding");
  if (!isJson || (encoding !== null && encoding.toLowerCase() !== "identity")) {
    throw new Failure("unsupported_media_type");
  }
  return parsePart(schema, parseJson(await readBytes(request, maxBytes)));
}

/** Checks a part of a request, such as its body or its query. @throws Failure bad_request (naming the fields) */
export function parsePart<S extends z.ZodMiniType>(schema: S, part: unknown): z.output<S> {
  const parsed = schema.safeParse(part);
  if (parsed.success) return parsed.data;
  throw new Failure("bad_request", { detail: describeIssues(parsed.error.issues) });
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  try {
    if (announced === null) {
      const { bytes, isWhole } = await readUpTo(request.body, maxBytes);
      if (!isWhole) throw new Failure("body_too_large");
      return bytes;
    }
    if (!/^\d{1,15}$/.test(announced) || Number(announced) > maxBytes) throw new Failure("body_too_large");
    // Node's parser stops at the announced length; a call within the process has no such parser.
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > maxBytes) throw new Failure("body_too_large");
    return bytes;
  } catch (cause) {
    // The client left in the middle of its body.
    throw cause instanceof Failure ? cause : new Failure("bad_json", { cause });
  }
}

/** Names the first few invalid fields. Values are never repeated, and characters that could forge text are replaced. */
function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const sentences = issues.slice(0, MAX_NAMED).map((issue) => {
    if (issue.code === "unrecognized_keys")
      return `${issue.keys.slice(0, MAX_NAMED).map(plainName).join(", ")}: is not known here`;
    const field = issue.path.map((part) => plainName(String(part))).join(".") || "the body";
    return `${field}: ${issue.message}`;
  });
  return `${sentences.join("; ")}.`;
}

function plainName(name: string): string {
  return name.replace(/[^\w.-]/g, "?").slice(0, MAX_NAME);
}
