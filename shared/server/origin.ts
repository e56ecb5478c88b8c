const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL's host is this machine; plain HTTP is allowed there. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/**
 * Whether a host can't be a name of somebody else's: an address, or a name without a dot, such as `localhost` or that of a
 * container. A page elsewhere could make browsers call this server only under a public name of its own (DNS rebinding).
 */
export function isOwnName({ hostname }: URL): boolean {
  return hostname.startsWith("[") || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname) || !hostname.includes(".");
}

/** Hosts that mean every address of the machine, as written in a URL. */
const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "[::]"]);
const HOST = /^[A-Za-z0-9._:-]{1,253}$/;

/**
 * The origin of a server that listens on `host`, as browsers write it: without a default port. Undefined if `host` is
 * every address of the machine, or can't be part of a URL.
 */
export function originAt(host: string, port: number): string | undefined {
  if (!HOST.test(host)) return undefined;
  const url = parseUrl(`http://${inUrl(host)}:${port}`);
  return url && isOrigin(url.origin) && !EVERYWHERE.has(url.hostname) ? url.origin : undefined;
}

/** Whether `host` means every address of the machine. */
export function isEverywhere(host: string): boolean {
  return EVERYWHERE.has(parseUrl(`http://${inUrl(host)}`)?.hostname ?? "");
}

/** A host as written in a URL: an IPv6 address in brackets. */
export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Whether a content security policy can name this origin: it has no form for an IPv6 address (CSP3, host-source). */
export function canFrame(origin: string): boolean {
  return !origin.includes("[");
}

/** Parses a URL; undefined for anything else, and for a host that no server can have, such as `*.example.com`. */
export function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  // In a content security policy a star would allow every name, and a comma or semicolon would end the directive.
  return url && /^([\w.-]*|\[.*)$/.test(url.hostname) ? url : undefined;
}

/** Whether `text` is an http(s) origin exactly as browsers write it: lower case, no path, no trailing dot or slash. */
export function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  return (
    url !== undefined &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.origin === text &&
    !url.hostname.endsWith(".")
  );
}
