import type { Context } from "hono";
import { addressOfCaller } from "../../shared/server/client-address.ts";
import type { ForwardedWatch } from "../../shared/server/forwarded-watch.ts";

/**
 * Returns a function that gives the address by which a request's attempts are counted; `unknown` for calls within the
 * process.
 */
export function createAddressOf(trustedProxies: number, watch?: ForwardedWatch): (c: Context) => string {
  return (c) => {
    watch?.see(c.req.raw.headers);
    return addressOfCaller(c.env, c.req.header("x-forwarded-for"), trustedProxies);
  };
}
