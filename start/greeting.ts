import type { Config } from "../bff/config.ts";
import { canFrame, isEverywhere, isLoopback, originAt } from "../shared/server/origin.ts";

type Place = Pick<Config, "publicUrl" | "host" | "port">;

/** The origin under which a browser reaches this process: PUBLIC_URL, or an address of this machine. */
export function addressOf({ publicUrl, host, port }: Place): string {
  // The demo needs its two origins, which are two names of this machine.
  const isLocal = isEverywhere(host) || ["127.0.0.1", "::1", "localhost"].includes(host);
  return publicUrl ?? originAt(isLocal ? "localhost" : host, port) ?? `http://localhost:${port}`;
}

/**
 * The text for a person who has just started the process. It offers only what works there: no shop if a browser can't
 * show its panel, and a note if the desk's sign-in would not last.
 *
 * @param service the service in this process, if any
 * @param reasons why it can't serve yet, one sentence each, as `/readyz` says
 */
export function greetingOf(
  config: Place & Pick<Config, "ownOrigins" | "allowedOrigins">,
  {
    service,
    reasons,
  }: {
    readonly service: { readonly setupLink: string | undefined } | undefined;
    readonly reasons: readonly string[];
  },
): string {
  const { publicUrl, host, port, ownOrigins, allowedOrigins } = config;
  const base = addressOf(config);
  const isPublic = publicUrl !== undefined;
  // The shop needs both names of this machine on IPv4, or the one that a browser can frame.
  const hasShop = !isPublic && host !== "::1" && canFrame(base);
  const lines =
    reasons.length === 0
      ? ["", "Parley is ready.", ""]
      : ["", "Parley is running, but it is not ready:", ...reasons, `${base}/readyz says when it is.`, ""];
  if (service && hasShop) lines.push(`Demo shop   ${base}/`);
  if (service) lines.push(`Desk        ${base}/desk`);
  lines.push(`The tag     <script async src="${base}/widget.js"></script>`);
  if (service?.setupLink) lines.push("", "First sign-in to the desk, once:", service.setupLink);
  if (!isPublic && (isEverywhere(host) || !hasShop)) {
    const origins = [...new Set([...ownOrigins, ...allowedOrigins])].filter(canFrame);
    lines.push("", "Only pages of these origins may show the chat:", origins.join(" "));
    lines.push(`Add others to ALLOWED_ORIGINS, such as ALLOWED_ORIGINS=http://shop.internal:${port}`);
  }
  if (!isPublic && service && !isLoopback(new URL(base))) {
    lines.push("", "Browsers store a sign-in to the desk only over https, or on this machine:");
    lines.push("put TLS in front and set PUBLIC_URL, or start with HOST=127.0.0.1");
  }
  return `${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n\n`;
}
