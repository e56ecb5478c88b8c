import type { Context } from "hono";
import { addressOfCaller } from "../../shared/server/client-address.ts";

/**
 * Returns a function that gives the address by which a request's attempts are counted; `unknown` for calls within the
 * process.
 */
export function createAddressOf(trustedProxies: number): (c: Context) => string {
  return (c) => addressOfCaller(c.env, c.req.header("x-forwarded-for"), trustedProxies);
}
