import { isIP } from "node:net";
import type { Context } from "hono";

interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
}

/** Longer lists are no proxy's; the end of them is what our own wrote. */
const MAX_LIST_CHARACTERS = 2000;

/**
 * Reads the address that a request came from. With `trustedProxies` hops of our own in front it is the entry of
 * `X-Forwarded-For` that the outermost of them wrote, counted from the right: everything left of it is the caller's own
 * claim. Otherwise it is the connection's, as Node's server names it; `unknown` where the app is called in the process.
 */
export function createAddressOf(trustedProxies: number): (c: Context) => string {
  return (c) => {
    const forwarded = trustedProxies > 0 ? forwardedAddress(c, trustedProxies) : undefined;
    const bindings = c.env as NodeBindings | undefined;
    return forwarded ?? bindings?.incoming?.socket?.remoteAddress ?? "unknown";
  };
}

function forwardedAddress(c: Context, trustedProxies: number): string | undefined {
  const list = (c.req.header("x-forwarded-for") ?? "").slice(-MAX_LIST_CHARACTERS).split(",");
  const claimed = list.at(-trustedProxies)?.trim();
  return list.length >= trustedProxies && claimed && isIP(claimed) ? claimed : undefined;
}
