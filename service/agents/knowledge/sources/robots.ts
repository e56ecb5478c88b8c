import robotsParser from "robots-parser";
import { type FetchDeps, fetchFromSite, SiteFault, USER_AGENT } from "./site-fetch.ts";

/** The longest pause that a site may ask for between two pages. */
const MAX_DELAY_S = 10;

/** What a site allows to programs (RFC 9309). */
export interface Robots {
  readonly isAllowed: (url: string) => boolean;
  readonly delayMs: number;
}

/**
 * Reads the `robots.txt` of a host. A site without one allows everything; one that can't say allows nothing now.
 *
 * @throws SiteFault
 */
export async function fetchRobots(page: URL, deps: FetchDeps): Promise<Robots> {
  const url = new URL("/robots.txt", page);
  try {
    const fetched = await fetchFromSite(url, {}, deps);
    const robots = robotsParser(url.href, fetched.kind === "content" ? fetched.text : "");
    const delay = Math.min(robots.getCrawlDelay(USER_AGENT) ?? 0, MAX_DELAY_S);
    // The rules apply to http and https alike, but the library applies them only to the origin that it was given.
    const own = ({ pathname, search }: URL) => Object.assign(new URL(url), { pathname, search }).href;
    const isAllowed = (address: string) => robots.isAllowed(own(new URL(address)), USER_AGENT) !== false;
    return { isAllowed, delayMs: delay * 1000 };
  } catch (error) {
    if (!(error instanceof SiteFault)) throw error;
    if (error.status !== undefined && error.status >= 400 && error.status < 500) {
      return { isAllowed: () => true, delayMs: 0 };
    }
    throw new SiteFault(`is not read, because ${url.href} ${error.message}`, {
      cause: error,
      mayPass: error.mayPass,
    });
  }
}
