import { hash } from "node:crypto";
import { etagOf } from "../../shared/server/static-files.ts";

const META = /<meta name="parley-origins" content="[^"]*"\s*\/?>/;

const NO_FEATURES =
  "accelerometer=(), autoplay=(self), camera=(), clipboard-read=(), clipboard-write=(self), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), " +
  "gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), " +
  "screen-wake-lock=(), usb=(), xr-spatial-tracking=()";

/**
 * Creates the panel's page for these origins. The headers say who may frame it; a meta element lists the pages from
 * which it accepts messages.
 * @throws Error with one sentence when the page lacks that meta element
 */
export function createFramePage(html: string, origins: readonly string[]) {
  if (!META.test(html))
    throw new Error('frame.html lacks <meta name="parley-origins" content="">. Build it again.');
  const meta = `<meta name="parley-origins" content="${escapeAttribute(origins.join(" "))}">`;
  const plain = new TextEncoder().encode(html.replace(META, () => meta));
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...hashesOfInline(html)].join(" "),
    "style-src 'self'",
    "connect-src 'self'",
    // Pictures that a customer sent are fetched with the session's token and drawn from memory.
    "img-src 'self' blob:",
    "font-src 'self'",
    `frame-ancestors ${origins.join(" ") || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    file: { mediaType: "text/html; charset=utf-8", etag: etagOf(plain), plain },
    headers: {
      "cache-control": "no-cache",
      "content-security-policy": policy.join("; "),
      // A page that isolates itself (COEP) may still show the panel.
      "cross-origin-embedder-policy": "require-corp",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "cross-origin",
      "permissions-policy": NO_FEATURES,
    },
  };
}

/** The hashes of the page's inline scripts: only the import map that pins what it loads later. */
function hashesOfInline(html: string): string[] {
  const found = html.matchAll(/<script type="importmap">([^<]*)<\/script>/g);
  return [...found].map(([, text = ""]) => `'sha256-${hash("sha256", text, "base64")}'`);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
