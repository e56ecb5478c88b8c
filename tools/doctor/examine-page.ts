import type { Finding } from "../../shared/api/doctor.ts";
import { fault, good } from "./finding.ts";

/** A page of the site, as it was answered. */
export interface SitePage {
  readonly url: string;
  /** All `content-security-policy` headers, joined by commas as `fetch` gives them. */
  readonly policy: string | undefined;
  readonly html: string;
}

/** Where browsers find this BFF, and which sites may show the panel. */
export interface PageFacts {
  readonly chatOrigin: string;
  readonly allowedOrigins: readonly string[];
}

/** Whether a page of the site may show the panel: its origin is on the list, and its own policy lets script and frame in. */
export function examinePage(page: SitePage, { chatOrigin, allowedOrigins }: PageFacts): readonly Finding[] {
  const { origin } = new URL(page.url);
  const findings: Finding[] = [];
  const told = new Set<string>();
  if (!allowedOrigins.includes(origin)) {
    findings.push(
      fault(
        "page",
        `${origin} may not show the panel: add it to ALLOWED_ORIGINS, exactly as it stands here.`,
      ),
    );
  }
  for (const policy of policiesOf(page)) {
    for (const [kind, names] of KINDS) {
      const [name, sources] = directiveOf(policy, names) ?? [];
      if (name === undefined || sources === undefined || admits(kind, sources, chatOrigin, origin)) continue;
      if (told.has(kind + name)) continue;
      told.add(kind + name);
      findings.push(
        fault(
          "page",
          `The page's Content-Security-Policy blocks the chat's ${kind}: add ${chatOrigin} to ${name}.`,
        ),
      );
    }
  }
  if (!page.html.includes(`${chatOrigin}/widget.js`)) {
    findings.push(fault("page", `The page holds no tag with ${chatOrigin}/widget.js.`));
  }
  return findings.length > 0 ? findings : [good("page", `${page.url} can show the panel.`)];
}

/** What the panel needs, and the directives that decide on it, in the order in which a browser asks them. */
const KINDS = [
  ["script", ["script-src-elem", "script-src", "default-src"]],
  ["frame", ["frame-src", "child-src", "default-src"]],
] as const;

const META = /<meta\b/gi;
const NAMES_POLICY = /\bhttp-equiv\s*=\s*["']?content-security-policy["']?/i;
const CONTENT = /\bcontent\s*=\s*(["'])(.*?)\1/is;
/** A page may be anybody's: longer tags and further policies are not read, so that none costs more than its bytes. */
const MAX_TAG = 8000;
const MAX_POLICIES = 50;

function policiesOf({ policy, html }: SitePage): readonly string[] {
  const metas = metasOf(html).flatMap((tag) => tag.match(CONTENT)?.[2] ?? []);
  return [...(policy?.split(",") ?? []), ...metas];
}

/** The tags that hold a policy, each from its beginning to the next `>`. */
function metasOf(html: string): readonly string[] {
  const tags: string[] = [];
  let end = 0;
  for (const { index } of html.matchAll(META)) {
    if (index < end) continue;
    end = html.indexOf(">", index);
    if (end < 0 || tags.length === MAX_POLICIES) break;
    const tag = html.slice(index, Math.min(end, index + MAX_TAG));
    if (NAMES_POLICY.test(tag)) tags.push(tag);
  }
  return tags;
}

function directiveOf(
  policy: string,
  names: readonly string[],
): readonly [string, readonly string[]] | undefined {
  const directives = policy.split(";").map((directive) => directive.trim().split(/\s+/));
  for (const name of names) {
    const found = directives.find(([given]) => given?.toLowerCase() === name);
    if (found) return [name, found.slice(1)];
  }
  return undefined;
}

/** Whether one of the sources admits the chat. A script may also come by a nonce or a hash, which can't be seen from here. */
function admits(kind: string, sources: readonly string[], chatOrigin: string, pageOrigin: string): boolean {
  const { protocol, host, hostname } = new URL(chatOrigin);
  return sources.some((source) => {
    const word = source.toLowerCase();
    if (word === "*" || word === protocol || word === chatOrigin || word === `${chatOrigin}/`) return true;
    if (word === "'self'") return chatOrigin === pageOrigin;
    if (kind === "script" && /^'(nonce-|sha256-|sha384-|sha512-|strict-dynamic)/.test(word)) return true;
    const [, scheme, wildcard, rest] = word.match(/^(?:([a-z]+:)\/\/)?(\*\.)?([^/]+)\/?$/) ?? [];
    if (rest === undefined || (scheme !== undefined && scheme !== protocol)) return false;
    return wildcard ? hostname.endsWith(`.${rest}`) : rest === host || rest === hostname;
  });
}
