import { lookup } from "node:dns";
import { BlockList, isIPv6, type LookupFunction } from "node:net";
import { Pool } from "undici";
import { readBounded } from "../../bff/upstream/transport.ts";
import { isLoopback } from "../../shared/server/origin.ts";
import type { SitePage } from "./examine-page.ts";

const TOTAL_MS = 5000;
const MAX_BYTES = 2_000_000;
const MAX_REDIRECTS = 3;

/** Why a page was not read, in words for an operator: none of them comes from the page. */
export class PageFault extends Error {}

/** What a name of the public net never stands for: this machine, its neighbours, and what is no one's address. */
// An IPv4 address that is written as an IPv6 one is held against the first list.
const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of [
  ["::", 96],
  ["64:ff9b::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const)
  PRIVATE.addSubnet(net, prefix, "ipv6");

/** Whether an address is one that the public net does not lead to. */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

export interface PageReaderDeps {
  /** The origins whose pages are read, exactly; who is not among them is not asked. */
  readonly allowedOrigins: readonly string[];
  /** The system's own, but in tests. */
  readonly resolve?: typeof lookup;
  readonly totalMs?: number;
}

/**
 * Reads pages of the allowed origins alone, so that nobody has this process ask for anything else: https, or this machine
 * where the origin says so; a name that leads to a private address is not followed there; redirects on the same origin
 * only, three at most; path without query; five seconds, 2 MB.
 *
 * @throws PageFault with what an operator may know of it
 */
export function createPageReader(deps: PageReaderDeps): (url: string) => Promise<SitePage> {
  const { allowedOrigins, resolve = lookup, totalMs = TOTAL_MS } = deps;
  return async (url) => {
    const { origin, pathname, username, password } = new URL(url);
    if (!allowedOrigins.includes(origin) || username !== "" || password !== "")
      throw new PageFault("its origin is not in ALLOWED_ORIGINS");
    const asked = new URL(origin);
    if (asked.protocol !== "https:" && !isLoopback(asked)) throw new PageFault("it is not https");
    const pool = new Pool(origin, {
      connections: 1,
      connect: { timeout: 2000, ...(isLoopback(asked) ? {} : { lookup: publicOnly(resolve) }) },
    });
    try {
      return await readFrom(pool, origin, pathname, AbortSignal.timeout(totalMs));
    } catch (cause) {
      throw cause instanceof PageFault ? cause : new PageFault("it gives no whole page in time", { cause });
    } finally {
      await pool.destroy();
    }
  };
}

async function readFrom(pool: Pool, origin: string, first: string, signal: AbortSignal): Promise<SitePage> {
  let path = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await pool.request({ method: "GET", path, headers: { accept: "text/html" }, signal });
    answer.body.on("error", () => undefined);
    const { statusCode, headers } = answer;
    if (statusCode < 300) {
      const html = new TextDecoder().decode(await readBounded(answer.body, MAX_BYTES));
      const policy = [headers["content-security-policy"] ?? []].flat().join(",");
      return { url: origin + path, policy: policy === "" ? undefined : policy, html };
    }
    if (statusCode >= 400) throw new PageFault(`it answers ${statusCode}`);
    const location = [headers.location ?? ""].flat()[0] ?? "";
    const next = URL.canParse(location, origin + path) ? new URL(location, origin + path) : undefined;
    if (next?.origin !== origin) throw new PageFault("it redirects to another origin");
    // The rest of this answer is not wanted, and the next one needs the line.
    answer.body.destroy();
    path = next.pathname;
  }
  throw new PageFault("it redirects too often");
}

/** The name's addresses, none of them private: asked for where the connection is made, so that no second answer differs. */
function publicOnly(resolve: typeof lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 4);
      const first = addresses[0];
      if (first === undefined || addresses.some(({ address }) => isPrivateAddress(address))) {
        return callback(new PageFault("its name leads to a private address"), "", 4);
      }
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
