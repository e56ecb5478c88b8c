import type { Context } from "hono";

interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
}

/** The address of the connection, as Node's server names it; `unknown` where the app is called in the process. */
export function addressOf(c: Context): string {
  const bindings = c.env as NodeBindings | undefined;
  return bindings?.incoming?.socket?.remoteAddress ?? "unknown";
}
