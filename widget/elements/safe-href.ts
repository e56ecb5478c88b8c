/** Longer addresses stay text. */
export const MAX_URL = 2000;

/**
 * Returns the address if a link may lead there, otherwise undefined. Allowed are https with a plain host (http only for
 * this machine), mailto and tel.
 * No user info (`https://good@evil`), no characters outside printable ASCII (homographs, bidi), no control characters.
 */
export function safeHref(text: string): string | undefined {
  if (text.length > MAX_URL || !/^[\x21-\x7e]+$/.test(text) || /[<>"`\\]/.test(text)) return undefined;
  if (/^tel:\+?[0-9().-]{3,30}$/i.test(text)) return text;
  if (/^mailto:[a-z0-9.!#$%&'*+/=?^_{|}~-]+@[a-z0-9.-]+$/i.test(text)) return text;
  if (!/^(https:\/\/[a-z0-9]|http:\/\/(localhost|127\.0\.0\.1)[:/])/i.test(text)) return undefined;
  const url = readUrl(text);
  return url && !url.username && !url.password ? url.href : undefined;
}

/** Parses an address. Does not use `URL.parse`, which the oldest supported browsers lack (docs/browsers.md). */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
