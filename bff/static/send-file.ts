import { createHash } from "node:crypto";
import { parseAccept } from "hono/utils/accept";

export interface StaticFile {
  readonly mediaType: string;
  /** Without the `W/` of a weak ETag. */
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly brotli?: Uint8Array<ArrayBuffer> | undefined;
  readonly gzip?: Uint8Array<ArrayBuffer> | undefined;
}

/** An ETag for `bytes`, in quotes. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}

/** Values read of one header; browsers send fewer. */
const MAX_VALUES = 50;

/** The values of an `Accept-Language` or `Accept-Encoding`, the preferred ones first. */
export function acceptedIn(header: string | null | undefined): readonly string[] {
  const values = parseAccept(header ?? "").slice(0, MAX_VALUES);
  return values.flatMap(({ type, q }) => (q > 0 ? [type] : []));
}

export type SendFile = (request: Request) => Response;

/**
 * Prepares the responses for one file: Brotli, gzip or plain, and 304 for a matching ETag. The ETag is weak, because
 * the compressed forms share it and a strong one would promise the same bytes (RFC 9110, section 8.8.1).
 */
export function createSendFile(file: StaticFile, headers: Readonly<Record<string, string>>): SendFile {
  const common = {
    vary: "Accept-Encoding",
    ...headers,
    "content-type": file.mediaType,
    etag: `W/${file.etag}`,
  };
  const forms = [["br", file.brotli] as const, ["gzip", file.gzip] as const];
  return ({ headers: asked }) => {
    const known = asked.get("if-none-match");
    if (known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === file.etag)) {
      return new Response(null, { status: 304, headers: common });
    }
    const accepted = acceptedIn(asked.get("accept-encoding")?.toLowerCase());
    const coded = forms.find(([encoding, bytes]) => bytes && accepted.includes(encoding));
    const [encoding, bytes = file.plain] = coded ?? [];
    return new Response(bytes, {
      headers: {
        ...common,
        ...(encoding === undefined ? {} : { "content-encoding": encoding }),
        "content-length": String(bytes.byteLength),
      },
    });
  };
}
