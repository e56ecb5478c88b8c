import { quote } from "./wording.ts";

/** Longest pattern and longest page; with them a match takes at most their product of steps. */
const MAX_GLOB = 512;
const MAX_PAGE = 2048;

/** `**` stands for any number of segments; another segment is the texts between its stars. */
type Segment = "**" | readonly string[];

/** A pattern of pages, ready to match. */
export interface PageGlob {
  readonly source: string;
  readonly segments: readonly Segment[];
}

/** What is wrong with a pattern, or nothing; goes on after `holds "…", which `. */
export function globFault(source: string): string | undefined {
  if (/^https?:\/\//i.test(source)) {
    const path = URL.parse(source)?.pathname;
    return `is an address; write the path alone${path ? `, here ${quote(path)}` : ""}.`;
  }
  if (!source.startsWith("/"))
    return `is not a path; write it from the first slash, here ${quote(`/${source}`)}.`;
  if (source.length > MAX_GLOB) return `is longer than ${MAX_GLOB} characters.`;
  if (/[?#]/.test(source)) return "holds ? or #; pages are matched by their path alone.";
  if (/[\s\\]|\p{Cc}/u.test(source)) return "holds a space, a backslash or a control character.";
  if (/[[\]{}]/.test(source))
    return "holds brackets; the only signs are * (within one segment) and ** (any depth).";
  const segments = source.split("/");
  if (segments.some((segment) => segment === "." || segment === "..")) return "holds . or .. as a segment.";
  if (segments.some((segment) => segment.includes("**") && segment !== "**")) {
    return "holds ** inside a segment; it stands alone between slashes, as in /help/**.";
  }
  if (segments.some((segment) => decodeSegment(segment) === undefined))
    return "holds a percent sign that encodes nothing.";
  return undefined;
}

/** Compiles a pattern that `globFault` found right. A slash at the end and doubled slashes make no difference. */
export function parseGlob(source: string): PageGlob {
  const segments = source
    .split("/")
    .filter(Boolean)
    .map(
      (segment): Segment =>
        segment === "**" ? "**" : segment.split("*").map((text) => decodeSegment(text) ?? text),
    );
  return { source, segments };
}

/**
 * The segments of a page's path, from a path or an http(s) address; query and fragment are left out.
 * Undefined where it is neither or longer than 2,048 characters.
 */
export function readPage(page: string): readonly string[] | undefined {
  if (page.length > MAX_PAGE) return undefined;
  const path = page.startsWith("/") ? page.replace(/[?#].*$/s, "") : readPathname(page);
  if (path === undefined) return undefined;
  const segments: string[] = [];
  for (const raw of path.split("/")) {
    const segment = decodeSegment(raw) ?? raw;
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

function readPathname(address: string): string | undefined {
  const url = URL.parse(address);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.pathname : undefined;
}

/** Browsers send `/caf%C3%A9` for `/café`; both sides are read alike. Undefined where the encoding is broken. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment).normalize("NFC");
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Whether the pattern matches the whole path. */
export function matchesGlob({ segments }: PageGlob, path: readonly string[]): boolean {
  return matchesTokens(segments, path, IN_PATH);
}

/** The texts between stars are looked for from left to right; the first must start the segment, the last must end it. */
function matchesSegment(texts: readonly string[], segment: string): boolean {
  const first = texts[0] ?? "";
  const last = texts.at(-1) ?? "";
  if (texts.length === 1) return segment === first;
  if (segment.length < first.length + last.length) return false;
  if (!segment.startsWith(first) || !segment.endsWith(last)) return false;
  const end = segment.length - last.length;
  let from = first.length;
  for (const text of texts.slice(1, -1)) {
    const found = segment.indexOf(text, from);
    if (found < 0 || found + text.length > end) return false;
    from = found + text.length;
  }
  return true;
}

/**
 * Whether every page that `narrow` matches is matched by `wide`. It never says so wrongly; where both mix the two
 * kinds of star in another order it may fail to see it.
 */
export function containsGlob(wide: PageGlob, narrow: PageGlob): boolean {
  return matchesTokens(wide.segments, narrow.segments, IN_GLOB);
}

/** A star takes anything, a star of the other included; everything else has to be the same. */
function containsSegment(wide: readonly string[], narrow: readonly string[]): boolean {
  if (wide.length === 1) return narrow.length === 1 && wide[0] === narrow[0];
  return matchesTokens(lettersOf(wide), lettersOf(narrow), IN_SEGMENT);
}

/** Stands for a star among letters: a page may hold the character `*` itself, written %2A. */
const STAR = "";

function lettersOf(texts: readonly string[]): string[] {
  return texts.flatMap((text, index) => (index === 0 ? text.split("") : [STAR, ...text.split("")]));
}

/** What is a star among tokens, and which other token fits which entry. */
interface Tokens<T, U> {
  isStar(one: T): boolean;
  covers(one: T, entry: U): boolean;
}

const IN_PATH: Tokens<Segment, string> = {
  isStar: (segment) => segment === "**",
  covers: (segment, text) => segment !== "**" && matchesSegment(segment, text),
};
const IN_GLOB: Tokens<Segment, Segment> = {
  isStar: (segment) => segment === "**",
  covers: (one, other) => one !== "**" && other !== "**" && containsSegment(one, other),
};
const IN_SEGMENT: Tokens<string, string> = {
  isStar: (letter) => letter === STAR,
  covers: (one, other) => one === other,
};

/**
 * Matches a list of tokens with stars against a whole list. Nothing is tried twice: what stands between two stars takes a
 * fixed number of entries, so its first fitting place is as good as any later one.
 */
function matchesTokens<T, U>(pattern: readonly T[], list: readonly U[], token: Tokens<T, U>): boolean {
  let [inPattern, inList] = [0, 0];
  let afterStar: { pattern: number; list: number } | undefined;
  while (inPattern < pattern.length || inList < list.length) {
    const one = pattern[inPattern];
    const entry = list[inList];
    if (one !== undefined && token.isStar(one)) {
      inPattern += 1;
      afterStar = { pattern: inPattern, list: inList };
      if (inPattern === pattern.length) return true;
    } else if (one !== undefined && entry !== undefined && token.covers(one, entry)) {
      inPattern += 1;
      inList += 1;
    } else if (afterStar !== undefined && inList < list.length) {
      afterStar.list += 1;
      inPattern = afterStar.pattern;
      inList = afterStar.list;
    } else {
      return false;
    }
  }
  return true;
}
