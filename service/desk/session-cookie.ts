import type { Context } from "hono";
import { getCookie } from "hono/cookie";

/**
 * `__Host-`: the browser itself refuses the cookie without Secure, with a Domain or with another Path (RFC 6265bis), so
 * no sibling site can set it. Browsers accept it on http://localhost and http://127.0.0.1 as well.
 */
export const SESSION_COOKIE = "__Host-parley-desk";
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

export function readSessionCookie(c: Context): string | undefined {
  const token = getCookie(c, SESSION_COOKIE);
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
}

/** No max-age: it ends with the browser, and the server ends it sooner. */
export function setSessionCookie(c: Context, token: string): void {
  c.header("set-cookie", `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}`, { append: true });
}

export function dropSessionCookie(c: Context): void {
  c.header("set-cookie", `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`, { append: true });
}
