import { isIP } from "node:net";

/**
 * The address that limits count by. With `trustedProxies` hops of our own in front, the client is the entry that the
 * outermost of them wrote: counted from the right, because everything left of it is the client's own claim.
 * IPv6 is cut to /56, which one household has; mapped IPv4 is IPv4.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const entries = trustedProxies === 0 ? [] : (forwardedFor ?? "").slice(-2000).split(",");
  const claimed = entries.at(-trustedProxies)?.trim();
  const address =
    trustedProxies > 0 && entries.length >= trustedProxies && claimed && isIP(claimed)
      ? claimed
      : socketAddress;
  return canonical(address ?? "unknown");
}

function canonical(address: string): string {
  const mapped = address.match(/^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i)?.[1];
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

/** The network around a client's address: /24 of IPv4, /48 of IPv6. For limits that one changing address could evade. */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  return /^[0-9a-f]{14}\/56$/.test(address) ? `${address.slice(0, 12)}/48` : address;
}
