import { createHash } from "node:crypto";

/** One file of the build with the compressed forms that the build made. */
export interface StaticFile {
  readonly mediaType: string;
  /** Without the mark of a weak tag. */
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly brotli?: Uint8Array<ArrayBuffer> | undefined;
  readonly gzip?: Uint8Array<ArrayBuffer> | undefined;
}

/** A tag for `bytes`, in quotes. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}

/** Answers a request for one file. */
export type SendFile = (request: Request) => Response;

/**
 * Prepares the answers of one file: Brotli, gzip or plain, and 304 for a known tag. The tag is weak, because the
 * compressed forms share it and a strong one would promise the same bytes (RFC 9110, section 8.8.1).
 */
export function createSendFile(file: StaticFile, headers: Readonly<Record<string, string>>): SendFile {
  const common = {
    vary: "Accept-Encoding",
    ...headers,
    "content-type": file.mediaType,
    etag: `W/${file.etag}`,
  };
  const form = (bytes: Uint8Array<ArrayBuffer>, encoding?: string) => ({
    bytes,
    headers: {
      ...common,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      "content-length": String(bytes.byteLength),
    },
  });
  const plain = form(file.plain);
  const brotli = file.brotli && form(file.brotli, "br");
  const gzip = file.gzip && form(file.gzip, "gzip");
  return ({ headers: asked }) => {
    const known = asked.get("if-none-match");
    if (known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === file.etag)) {
      return new Response(null, { status: 304, headers: common });
    }
    const accepted = acceptedEncodings(asked.get("accept-encoding") ?? "");
    const chosen = (accepted.has("br") && brotli) || (accepted.has("gzip") && gzip) || plain;
    return new Response(chosen.bytes, { status: 200, headers: chosen.headers });
  };
}

/** The encodings of the header that are not refused by `q=0`. */
function acceptedEncodings(header: string): ReadonlySet<string> {
  const entries = header.toLowerCase().split(",");
  const allowed = entries.filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry));
  return new Set(allowed.map((entry) => entry.split(";", 1)[0]?.trim() ?? ""));
}
