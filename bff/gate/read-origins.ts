import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { isOrigin, originAt } from "../../shared/server/origin.ts";
import { readPublicUrl } from "../../shared/server/public-url.ts";

/** The origins under which browsers reach this server: its one address, or the two names of this machine. */
function originsAt(host: string, port: number): readonly string[] {
  const here = ["localhost", "127.0.0.1"].flatMap((name) => originAt(name, port) ?? []);
  const own = originAt(host, port);
  return own === undefined || here.includes(own) ? here : [own, ...here];
}

/** Reads `PUBLIC_URL` and `ALLOWED_ORIGINS`; without them, pages of the address that the server listens on are allowed. */
export function readOrigins(reader: EnvironmentReader, at: { host: string; port: number }) {
  const atHost = originsAt(at.host, at.port);
  const publicUrl = readPublicUrl(reader);
  const text = reader.text("ALLOWED_ORIGINS");
  const listed = text?.split(/[\s,]+/).filter(Boolean);
  // A password may have any sign, a comma too, so its entry has no end that one could find.
  const mayQuote = !text?.includes("@");
  for (const origin of listed ?? []) {
    if (!isOrigin(origin)) {
      reader.refuse({
        name: "ALLOWED_ORIGINS",
        fault: `holds ${mayQuote ? `"${origin.slice(0, 100)}"` : "an address with a user or password"}, which is not an exact origin (scheme, host and port, nothing else).`,
        example: "ALLOWED_ORIGINS=https://www.example.com,https://shop.example.com",
      });
    }
  }
  if (reader.text("PUBLIC_URL") !== undefined && !listed?.length) {
    reader.refuse({
      name: "ALLOWED_ORIGINS",
      fault: "is missing: with PUBLIC_URL set, name the sites that may show the panel.",
      example: "ALLOWED_ORIGINS=https://www.example.com",
    });
  }
  return {
    publicUrl,
    /** The origins of this BFF itself. */
    ownOrigins: publicUrl === undefined ? atHost : [publicUrl],
    /** Origins of pages that may show the panel. */
    allowedOrigins: listed ?? atHost,
  };
}
