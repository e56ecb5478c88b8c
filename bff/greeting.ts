import { canFrame, isEverywhere, isLoopback, originAt } from "../shared/server/origin.ts";
import type { Config } from "./config.ts";

type Place = Pick<Config, "publicUrl" | "host" | "port">;

/** Where a browser on this machine, or through PUBLIC_URL, finds this process. */
export function addressOf({ publicUrl, host, port }: Place): string {
  return publicUrl ?? originAt(isNamed(host) ? host : "localhost", port) ?? `http://localhost:${port}`;
}

/** What `127.0.0.1` and its like are called here is `localhost`, so that the demo has its two origins. */
function isNamed(host: string): boolean {
  return !["127.0.0.1", "::1", "localhost"].includes(host) && !isEverywhere(host);
}

/**
 * Where everything is, for a person who has just started it. Nothing is offered that would be dead where it stands: no
 * shop whose panel a browser may not show, no desk where a browser keeps no sign-in.
 *
 * @param service the service in this process, where there is one
 */
export function greetingOf(
  config: Place & Pick<Config, "ownOrigins" | "allowedOrigins">,
  service: { readonly setupLink: string | undefined } | undefined,
): string {
  const base = addressOf(config);
  const notes = config.publicUrl === undefined ? notesOf(config, base, service !== undefined) : [];
  const lines = ["", "  Parley is ready.", ""];
  if (service && config.publicUrl === undefined && hasShop(config, base))
    lines.push(`  Demo shop   ${base}/`);
  if (service) lines.push(`  Desk        ${base}/desk`);
  lines.push(`  The tag     <script async src="${base}/widget.js"></script>`);
  if (service?.setupLink) lines.push("", "  First sign-in to the desk, once:", `  ${service.setupLink}`);
  for (const note of notes) lines.push("", ...note.map((line) => `  ${line}`));
  return `${lines.join("\n")}\n\n`;
}

/** The shop lives on the two names of this machine, both on IPv4, or on the one that a browser must be able to frame. */
function hasShop({ host }: Place, base: string): boolean {
  return host !== "::1" && canFrame(base);
}

function notesOf(
  config: Parameters<typeof greetingOf>[0],
  base: string,
  hasDesk: boolean,
): readonly (readonly string[])[] {
  const { host, port, ownOrigins, allowedOrigins } = config;
  const notes: string[][] = [];
  const isOpen = isEverywhere(host);
  if (isOpen || !hasShop(config, base)) {
    notes.push([
      isOpen
        ? "Every address of this machine is listened to, but only pages of these origins may show the chat:"
        : "Only pages of these origins may show the chat:",
      [...new Set([...ownOrigins, ...allowedOrigins])].filter(canFrame).join(" "),
      `Name others in ALLOWED_ORIGINS, such as ALLOWED_ORIGINS=http://shop.internal:${port}`,
    ]);
  }
  if (hasDesk && !isLoopback(new URL(base))) {
    notes.push([
      "Browsers keep a sign-in to the desk over https alone, or on this machine:",
      "put TLS in front and set PUBLIC_URL, or start with HOST=127.0.0.1",
    ]);
  }
  return notes;
}
