import { createHash } from "node:crypto";

/** Subresource Integrity value of `bytes`, for `integrity` attributes and `/api/config`. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash("sha384").update(bytes).digest("base64")}`;
}

const LOADING_TAG =
  /<(?:script\b[^>]*?\ssrc|link\b[^>]*?\srel="(?:stylesheet|modulepreload)"[^>]*?\shref)="([^"]+)"/g;

/** Addresses of the scripts and style sheets that a built page names itself. */
export function namedIn(html: string): string[] {
  return [...html.matchAll(LOADING_TAG)].map(([, address = ""]) => address);
}

/**
 * Adds an `integrity` attribute to every script, style sheet and preload that a built page names, and an import map with
 * the hashes of those scripts that are loaded later: a browser that gets one other byte refuses the file.
 * @param read gives the bytes behind an address of the page
 * @param later addresses of the scripts that the page does not name
 */
export function pinHtml(
  html: string,
  read: (address: string) => Uint8Array,
  later: readonly string[] = [],
): string {
  const pinned = html.replace(
    LOADING_TAG,
    (tag, address: string) => `${tag} integrity="${integrityOf(read(address))}"`,
  );
  if (later.length === 0) return pinned;
  const integrity = Object.fromEntries(later.map((address) => [address, integrityOf(read(address))]));
  // Before any module script, because browsers ignore an import map after one.
  return pinned.replace(
    /<script\b/,
    (tag) => `<script type="importmap">${JSON.stringify({ integrity })}</script>\n    ${tag}`,
  );
}
