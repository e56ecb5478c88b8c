/** Longest page that is read, in characters. */
export const MAX_PAGE = 2048;

export type PageGlob = ReturnType<typeof parseGlob>;

/** Matches paths from the first slash. `*` is part of a segment, `**` is a whole segment. */
export const PAGE_GLOB = /^(\/(?!\.{1,2}(\/|$))(\*\*|(\*?[^*/?#\s\\[\]{}])*\*?))+$/;

/** Compiles a valid pattern. A slash at the end and doubled slashes make no difference. */
export function parseGlob(source: string) {
  /** The runs of segments between `**`; a segment is the list of texts between its stars. */
  const runs: string[][][] = [[]];
  for (const segment of source.split("/").filter(Boolean)) {
    if (segment === "**") runs.push([]);
    else runs.at(-1)?.push(segment.split("*").map(decode));
  }
  return { source, runs };
}

/**
 * Returns the decoded segments of a page's path, without query and fragment. Undefined if `page` is neither a path nor
 * an http(s) address, or is longer than 2,048 characters.
 */
export function readPage(page: string): readonly string[] | undefined {
  if (page.length > MAX_PAGE) return undefined;
  // The prefix makes "//host/path" a path too.
  const url = URL.parse(page.startsWith("/") ? `https://page.invalid${page}` : page);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return url.pathname.split("/").filter(Boolean).map(decode);
}

/** Whether the pattern matches the whole path. The time is at most proportional to the product of both lengths. */
export function matchesGlob({ runs }: PageGlob, path: readonly string[]): boolean {
  return fitsInOrder(runs, path.length, (run, at) =>
    run.every((texts, index) => {
      const segment = path[at + index] ?? "";
      // A star takes any text, but there is no empty segment.
      return (
        segment !== "" && fitsInOrder(texts, segment.length, (text, from) => segment.startsWith(text, from))
      );
    }),
  );
}

/**
 * Whether the parts occur in this order among `length` items: the first at the start, the last at the end, anything
 * between them. The first place that fits a part is as good as any later one, so nothing is tried twice.
 */
function fitsInOrder<Part extends { readonly length: number }>(
  parts: readonly Part[],
  length: number,
  isAt: (part: Part, at: number) => boolean,
): boolean {
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const last = length - part.length;
    if (index > 0 && index === parts.length - 1 && at <= last) at = last;
    while (at > last || !isAt(part, at)) {
      if (index === 0 || at >= last) return false;
      at += 1;
    }
    at += part.length;
  }
  return at === length;
}

/** Browsers send `/caf%C3%A9` for `/café`. Malformed encodings stay as they are. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize("NFC");
  } catch {
    return segment;
  }
}
