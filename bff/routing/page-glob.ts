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

/**
 * Whether the pattern matches the whole path. Nothing is tried twice: what stands between two `**` has a fixed number
 * of segments, so its first fitting place is as good as any later one.
 */
export function matchesGlob({ segments }: PageGlob, path: readonly string[]): boolean {
  let [inGlob, inPath] = [0, 0];
  let afterStars: { glob: number; path: number } | undefined;
  while (inPath < path.length || inGlob < segments.length) {
    const segment = segments[inGlob];
    if (segment === "**") {
      inGlob += 1;
      afterStars = { glob: inGlob, path: inPath };
      if (inGlob === segments.length) return true;
    } else if (segment !== undefined && inPath < path.length && matchesSegment(segment, path[inPath] ?? "")) {
      inGlob += 1;
      inPath += 1;
    } else if (afterStars !== undefined && inPath < path.length) {
      afterStars.path += 1;
      inGlob = afterStars.glob;
      inPath = afterStars.path;
    } else {
      return false;
    }
  }
  return true;
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
  return contains<Segment>(wide.segments, narrow.segments, {
    isStar: (segment) => segment === "**",
    covers: (one, other) => one !== "**" && other !== "**" && containsSegment(one, other),
  });
}

function containsSegment(wide: readonly string[], narrow: readonly string[]): boolean {
  return contains<string>(lettersOf(wide), lettersOf(narrow), {
    isStar: (letter) => letter === STAR,
    covers: (one, other) => one === other,
  });
}

/** Stands for a star among letters: a page may hold the character `*` itself, written %2A. */
const STAR = "";

function lettersOf(texts: readonly string[]): string[] {
  return texts.flatMap((text, index) => (index === 0 ? text.split("") : [STAR, ...text.split("")]));
}

/** Matches a pattern against another pattern: a star takes anything, a star of the other included. */
function contains<T>(
  wide: readonly T[],
  narrow: readonly T[],
  token: { isStar(of: T): boolean; covers(one: T, other: T): boolean },
): boolean {
  // Row `i` says for each `j` whether the rest of `wide` from `i` holds the rest of `narrow` from `j`.
  let below = Array.from({ length: narrow.length + 1 }, (_, j) => j === narrow.length);
  for (const one of wide.toReversed()) {
    const row = Array.from({ length: narrow.length + 1 }, () => false);
    for (let j = narrow.length; j >= 0; j -= 1) {
      const other = narrow[j];
      if (token.isStar(one)) row[j] = below[j] === true || row[j + 1] === true;
      else if (other !== undefined && !token.isStar(other))
        row[j] = token.covers(one, other) && below[j + 1] === true;
    }
    below = row;
  }
  return below[0] === true;
}
