const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL's host is this machine alone: plain HTTP is allowed there. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** The URL of a text, or undefined where it is none. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Whether `text` is an http(s) origin exactly as browsers write it: lower case, no path, no trailing dot or slash (R02). */
export function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  return (
    url !== undefined &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.origin === text &&
    !url.hostname.endsWith(".")
  );
}
