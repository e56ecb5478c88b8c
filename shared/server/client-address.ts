import { isIP } from "node:net";

/** No proxy writes a longer list; its end is the part that our own proxies wrote. */
const MAX_LIST = 2000;

/** Some proxies write the port of the connection, too, and then IPv6 in brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * Returns the address that limits are counted by. Behind `trustedProxies` proxies of our own, it is the entry of
 * `X-Forwarded-For` that the outermost of them wrote, counted from the right: the client can forge everything left of it.
 * IPv6 is cut to /56, the size one household gets; IPv4 mapped into IPv6 becomes IPv4. Without any address: `unknown`.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const entries = trustedProxies === 0 ? [] : (forwardedFor ?? "").slice(-MAX_LIST).split(",");
  const claimed = entries.at(-trustedProxies)?.trim().replace(WITH_PORT, "$1$2");
  const address = claimed && isIP(claimed) ? claimed : socketAddress;
  return canonical(address ?? "unknown");
}

/** The `clientAddress` of a request that @hono/node-server handed on with `env`; without one for a call in this process. */
export function addressOfCaller(
  env: unknown,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return clientAddress(incoming?.socket?.remoteAddress, forwardedFor, trustedProxies);
}

function canonical(address: string): string {
  // IPv4 without a proxy is the usual case, and this runs for every request.
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIP(address) === 6 ? prefix56(address) : address;
}

/** The first seven bytes of an IPv6 address, as 14 hexadecimal digits. */
function prefix56(address: string): string {
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  const digits = groups.slice(0, 4).map((group) => group.padStart(4, "0").toLowerCase());
  return `${digits.join("").slice(0, 14)}/56`;
}

/** Returns the network around a client's address, /24 of IPv4 or /48 of IPv6, for limits that one changing address could evade. */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  return /^[0-9a-f]{14}\/56$/.test(address) ? `${address.slice(0, 12)}/48` : address;
}
