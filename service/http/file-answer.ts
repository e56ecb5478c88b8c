import type { Context } from "hono";
import type { OpenedFile } from "../store/attach.ts";

/**
 * A customer's file as an answer that can do nothing but be saved, or be drawn by a page of the same origin: never
 * opened as a page, never run, never guessed to be another type.
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

/** RFC 8187 lets fewer characters stand than `encodeURIComponent` leaves. */
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
