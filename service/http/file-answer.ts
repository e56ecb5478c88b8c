import type { Context } from "hono";
import type { OpenedFile } from "../store/attach.ts";

/**
 * Returns a customer's file as a response that can only be saved, or drawn by a page of the same origin: never opened
 * as a page, executed, or sniffed as another type.
 */
export function fileAnswer(c: Context, { attachment, size, body }: OpenedFile): Response {
  const name = encodeURIComponent(attachment.name).replace(/['()*]/g, percent);
  return c.body(body, 200, {
    "content-type": attachment.type,
    "content-length": String(size),
    "content-disposition": `attachment; filename*=UTF-8''${name}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  });
}

/** RFC 8187 allows fewer characters than `encodeURIComponent` leaves unescaped. */
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
