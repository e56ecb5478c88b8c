import { type Finding, fault, good, note } from "./finding.ts";

/** A page of the site, as its server answered it. */
export interface SitePage {
  readonly url: string;
  readonly status: number;
  /** All `content-security-policy` headers, joined by commas as `fetch` gives them. */
  readonly policy: string | undefined;
  readonly html: string;
}

/** The addresses of this BFF for browsers, the preferred one first, and the sites that may show the panel. */
export interface PageFacts {
  readonly chatOrigins: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/**
 * Examines whether a page may show the panel: its origin is allowed, it has the tag, and its policies allow script,
 * frame and panel.
 */
export function examinePage(page: SitePage, { chatOrigins, allowedOrigins }: PageFacts): readonly Finding[] {
  if (page.status < 200 || page.status > 299) {
    const sentence = `${page.url} answers with the status ${page.status}, so its tag and its policies were not examined.`;
    return [fault(sentence)];
  }
  const { origin } = new URL(page.url);
  const loaders = page.html.match(LOADER) ?? [];
  const loader = loaders.find((found) => chatOrigins.some((own) => found.startsWith(`${own}/`)));
  const chatOrigin = loader === undefined ? (chatOrigins[0] ?? "") : new URL(loader).origin;
  const addresses = { script: loader ?? `${chatOrigin}/widget.js`, frame: `${chatOrigin}/frame` };
  const tag = page.html.match(SCRIPT)?.find((found) => loader !== undefined && found.includes(loader));
  const faults = new Set<string>();
  if (![...chatOrigins, ...allowedOrigins].includes(origin)) {
    faults.add(`${origin} may not show the panel: add exactly this to ALLOWED_ORIGINS.`);
  }
  for (const policy of policiesOf(page)) {
    for (const [kind, names] of KINDS) {
      const [name, sources] = directiveOf(policy, names) ?? [];
      if (name === undefined || sources === undefined) continue;
      if (admits(kind, sources, new URL(addresses[kind]), new URL(page.url), tag)) continue;
      const byTag = kind === "script" ? mendOfTag(name, sources) : undefined;
      const mend = byTag ?? `add ${chatOrigin} to ${name}`;
      faults.add(`The page's Content-Security-Policy blocks the chat's ${kind}: ${mend}.`);
    }
  }
  for (const policy of headersOf(page)) {
    const flags = directiveOf(policy, ["sandbox"])?.[1].map((flag) => flag.toLowerCase());
    const missing = flags ? SANDBOX.filter((flag) => !flags.includes(flag)) : [];
    if (missing.length > 0) {
      faults.add(`The page's Content-Security-Policy blocks the panel: add ${missing.join(" ")} to sandbox.`);
    }
  }
  // Only the HTML was read, and the npm packages add the tag by a script.
  const mayBeScripted = loaders.length === 0 && /<script\b/i.test(page.html);
  if (loader === undefined && !mayBeScripted) {
    const other = loaders[0] === undefined ? "" : `, but one with ${loaders[0]}`;
    faults.add(`The page has no tag with ${chatOrigin}/widget.js${other}.`);
  }
  const found = [...faults].map((sentence) => fault(sentence));
  if (mayBeScripted) {
    const sentence = `The page's HTML has no tag with ${chatOrigin}/widget.js. That is right where a script loads the chat, as @parley/js and @parley/react do.`;
    return [...found, note(sentence)];
  }
  return found.length > 0 ? found : [good(`${page.url} can show the panel.`)];
}

/**
 * The sources that the panel needs, each with the directives that decide about it, in the order in which a browser
 * tries them.
 */
const KINDS = [
  ["script", ["script-src-elem", "script-src", "default-src"]],
  ["frame", ["frame-src", "child-src", "default-src"]],
] as const;

/** Without them the browser runs no script, or gives the page an origin that ALLOWED_ORIGINS can't name. */
const SANDBOX = ["allow-scripts", "allow-same-origin"];

/** The address of any chat's loader, the newest or a pinned one, or of a file that replaces another chat's script. */
const LOADER =
  /https?:\/\/[\w.:[\]-]+(?:(?:\/v\/[\w.-]+)?\/widget|\/compat\/(?:intercom|chatwoot|crisp|zendesk))\.js/g;

const SCRIPT = /<script\b[^>]*>/gi;

const META = /<meta\b[^>]*\bhttp-equiv\s*=\s*["']?content-security-policy\b[^>]*>/gi;
const CONTENT = /\bcontent\s*=\s*(["'])(.*?)\1/is;

function policiesOf(page: SitePage): readonly string[] {
  const inPage = (page.html.match(META) ?? []).flatMap((tag) => CONTENT.exec(tag)?.[2] ?? []);
  return [...headersOf(page), ...inPage];
}

/** Browsers ignore `sandbox` in the page itself. */
function headersOf({ policy = "" }: SitePage): readonly string[] {
  return policy.split(",");
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

/** A source by host: its scheme, `*.`, its name, its port, which is the usual one without it, and its path. */
const SOURCE = /^(?:([a-z]+:)\/\/)?(\*\.)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/i;

const isStrict = (sources: readonly string[]) => sources.some((source) => /^'strict-dynamic'$/i.test(source));

/** What the tag lacks; undefined where the address may be allowed instead. */
function mendOfTag(name: string, sources: readonly string[]): string | undefined {
  if (sources.some((source) => /^'nonce-/i.test(source))) return `give its tag the nonce of ${name}`;
  return isStrict(sources) ? `pin its tag, and add its hash to ${name}` : undefined;
}

/** Sources that allow a script by its tag. With `strict-dynamic` no other source does. */
const BY_TAG = /^'(nonce-|sha256-|sha384-|sha512-|strict-dynamic)/;

/**
 * Whether one of the sources allows the address, as CSP3 matches them. Without a tag in the HTML a script of the page may
 * add one that a nonce or a hash allows, which can't be checked here.
 */
function admits(
  kind: string,
  sources: readonly string[],
  address: URL,
  page: URL,
  tag: string | undefined,
): boolean {
  const { protocol, hostname, pathname } = address;
  const isByTagOnly = kind === "script" && isStrict(sources);
  const usualPort = protocol === "https:" ? "443" : "80";
  return sources.some((source) => {
    const lower = source.toLowerCase();
    if (kind === "script" && BY_TAG.test(lower)) {
      if (tag === undefined) return true;
      // Only that the tag has a nonce: HTML may write its value with entities.
      return lower.startsWith("'nonce-") ? /\snonce\b/i.test(tag) : tag.includes(source.slice(1, -1));
    }
    if (isByTagOnly) return false;
    if (lower === "*") return true;
    if (lower.endsWith(":")) return isSameOrSecure(lower, protocol);
    if (lower === "'self'")
      return (
        hostname === page.hostname && address.port === page.port && isSameOrSecure(page.protocol, protocol)
      );
    const [, scheme = page.protocol, wildcard, name = "", port = usualPort, path = ""] =
      source.match(SOURCE) ?? [];
    if (!isSameOrSecure(scheme.toLowerCase(), protocol)) return false;
    if (port !== "*" && port !== (address.port || usualPort)) return false;
    if (path.endsWith("/") ? !pathname.startsWith(path) : path !== "" && path !== pathname) return false;
    const host = name.toLowerCase();
    return wildcard ? hostname.endsWith(`.${host}`) : host === "*" || host === hostname;
  });
}

/** A browser lets what is allowed by `http:` be loaded by `https:` too, but not the reverse. */
function isSameOrSecure(allowed: string, protocol: string): boolean {
  return allowed === protocol || (allowed === "http:" && protocol === "https:");
}
