/** Longer addresses stay text. */
export const MAX_URL = 2000;

/**
 * Where `text` may lead, or undefined where it must stay text: https with a plain host (http on this machine alone), mailto, tel, and nothing else.
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

/** The address in `text`, if it is one. Not `URL.parse`, which is newer than the oldest browsers (docs/browsers.md). */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
