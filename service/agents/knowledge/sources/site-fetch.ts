import { gunzipSync } from "node:zlib";
import { readUpTo } from "../../../../shared/server/read-up-to.ts";

/** Says who asks, also to `robots.txt`. */
export const USER_AGENT = "Parley-Knowledge";
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 20_000;

export interface FetchDeps {
  readonly fetch: typeof fetch;
  readonly stopping: AbortSignal;
  /** Whether a redirect may lead there. Default: anywhere on the same host. */
  readonly isAllowed?: (url: string) => boolean;
  /** Shorter in tests. */
  readonly timeoutMs?: number | undefined;
}

/** The last answer of an address, so the site need not send it again. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
}

export type Fetched =
  | ({
      readonly kind: "content";
      readonly url: string;
      readonly type: string;
      readonly text: string;
    } & Validators)
  | { readonly kind: "unchanged" };

/** A page that can't be fetched now. Its message continues a sentence after the address. */
export class SiteFault extends Error {
  override readonly name = "SiteFault";
  /** What the site answered, if it answered. */
  readonly status: number | undefined;
  /** Asking again soon may succeed. */
  readonly mayPass: boolean;

  constructor(message: string, options: ErrorOptions & { status?: number; mayPass?: boolean } = {}) {
    super(message, options);
    const { status = 0, mayPass = status >= 500 || status === 408 || status === 429 } = options;
    this.status = options.status;
    this.mayPass = mayPass;
  }
}

/** Whether two addresses are on the same host and port; http and https of a host are one place. */
export function isSameHost(one: URL, other: URL): boolean {
  return one.hostname === other.hostname && portOf(one) === portOf(other);
}

function portOf({ port }: URL): string {
  return port === "" ? "usual" : port;
}

/**
 * Fetches one address of the owner's site. Only the host of `url` is ever asked, so nothing on a page can make this
 * machine call another one, in its own network for example.
 *
 * @throws SiteFault
 */
export async function fetchFromSite(url: URL, known: Validators, deps: FetchDeps): Promise<Fetched> {
  const signal = AbortSignal.any([deps.stopping, AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS)]);
  try {
    let at = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await deps.fetch(at, { redirect: "manual", signal, headers: headersOf(known) });
      const next = redirectOf(response, at);
      if (next === undefined) return await contentOf(response, at);
      await response.body?.cancel();
      if (!/^https?:$/.test(next.protocol) || !isSameHost(next, url)) {
        throw new SiteFault(`redirects to the other host ${next.host}`);
      }
      if (deps.isAllowed?.(next.href) === false) {
        throw new SiteFault("redirects to an address that robots.txt disallows", { status: 403 });
      }
      at = next;
    }
    throw new SiteFault("redirects too often");
  } catch (cause) {
    if (cause instanceof SiteFault) throw cause;
    if (deps.stopping.aborted) throw new SiteFault("was not read because the service stops", { cause });
    throw new SiteFault(signal.aborted ? "did not answer in time" : "can't be reached", {
      cause,
      mayPass: true,
    });
  }
}

function headersOf({ etag, modified }: Validators): Record<string, string> {
  return {
    "user-agent": USER_AGENT,
    accept: "text/html, application/xhtml+xml, application/xml, text/xml, text/markdown;q=0.9, */*;q=0.1",
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(modified === undefined ? {} : { "if-modified-since": modified }),
  };
}

function redirectOf(response: Response, at: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  const next = URL.parse(response.headers.get("location") ?? "", at);
  if (!next) throw new SiteFault("redirects to nowhere");
  return next;
}

async function contentOf(response: Response, at: URL): Promise<Fetched> {
  if (response.status === 304) return { kind: "unchanged" };
  if (!response.ok) {
    await response.body?.cancel();
    throw new SiteFault(`answers ${response.status}`, { status: response.status });
  }
  const [type = "", ...parameters] = (response.headers.get("content-type") ?? "").toLowerCase().split(";");
  const { bytes: read, isWhole } = await readUpTo(response.body, MAX_BYTES);
  if (!isWhole) throw new SiteFault(`is larger than ${MAX_BYTES / 1024} kB`);
  const bytes = read[0] === 0x1f && read[1] === 0x8b ? unpacked(read) : read;
  return {
    kind: "content",
    url: at.href.replace(/#.*$/, ""),
    type: type.trim(),
    text: decoded(bytes, parameters.join(";")),
    etag: response.headers.get("etag") ?? undefined,
    modified: response.headers.get("last-modified") ?? undefined,
  };
}

/** Sitemaps are often stored compressed. */
function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw new SiteFault(`can't be unpacked to at most ${MAX_BYTES / 1024} kB`, { cause });
  }
}

/** By the first two bytes. Browsers trust the mark more than what a site says. */
const BYTE_ORDER_MARKS = new Map([
  ["efbb", "utf-8"],
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
]);
const CHARSET = /charset\s*=\s*["']?([\w.:-]+)/i;

function decoded(bytes: Buffer, parameters: string): string {
  const marked = BYTE_ORDER_MARKS.get(bytes.subarray(0, 2).toString("hex"));
  const said = CHARSET.exec(parameters) ?? CHARSET.exec(bytes.subarray(0, 1024).toString("latin1"));
  try {
    return new TextDecoder(marked ?? said?.[1] ?? "utf-8").decode(bytes);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return new TextDecoder().decode(bytes);
  }
}
