import { createHash } from "node:crypto";

/** Subresource Integrity value of `bytes`, as `integrity` attributes and `/api/config` give it. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash("sha384").update(bytes).digest("base64")}`;
}

const LOADING_TAG =
  /<(?:script\b[^>]*?\ssrc|link\b[^>]*?\srel="(?:stylesheet|modulepreload)"[^>]*?\shref)="([^"]+)"/g;

/**
 * Adds an `integrity` attribute to every script, style sheet and preload that a built page names: a browser that gets one
 * other byte refuses the file (R81).
 * @param read gives the bytes behind an address of the page
 */
export function pinHtml(html: string, read: (address: string) => Uint8Array): string {
  return html.replace(
    LOADING_TAG,
    (tag, address: string) => `${tag} integrity="${integrityOf(read(address))}"`,
  );
}
