import type { Context } from "hono";
import { clientAddress } from "../../shared/server/client-address.ts";

interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
}

/** Returns a function that gives the address by which a request's attempts are counted; `unknown` within the process. */
export function createAddressOf(trustedProxies: number): (c: Context) => string {
  return (c) => {
    const bindings = c.env as NodeBindings | undefined;
    const socketAddress = bindings?.incoming?.socket?.remoteAddress;
    return clientAddress(socketAddress, c.req.header("x-forwarded-for"), trustedProxies);
  };
}
