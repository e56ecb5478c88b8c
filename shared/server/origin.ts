const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL's host is this machine alone: plain HTTP is allowed there. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** Listening there is listening on every address of the machine; as a URL writes them. */
const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "[::]"]);
const HOST = /^[A-Za-z0-9._:-]{1,253}$/;

/**
 * The origin that browsers know a server by which listens on `host`, as they write it: without the port that is usual.
 * Undefined where `host` is every address of the machine, or nothing that stands in an address.
 */
export function originAt(host: string, port: number): string | undefined {
  if (!HOST.test(host)) return undefined;
  const url = parseUrl(`http://${inUrl(host)}:${port}`);
  return url && isOrigin(url.origin) && !EVERYWHERE.has(url.hostname) ? url.origin : undefined;
}

/** Whether listening on `host` is listening on every address of the machine. */
export function isEverywhere(host: string): boolean {
  return EVERYWHERE.has(parseUrl(`http://${inUrl(host)}`)?.hostname ?? "");
}

/** A host as addresses have it: an IPv6 address between brackets. */
function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Whether pages of an origin can be named to browsers as those that may show the panel: a content security policy has
 * no form for an IPv6 address (CSP3, host-source).
 */
export function canFrame(origin: string): boolean {
  return !origin.includes("[");
}

/** The URL of a text, or undefined where it is none. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
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
