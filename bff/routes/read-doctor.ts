import { type Finding, readDoctor } from "../../shared/api/doctor.ts";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { isOrigin, parseUrl } from "../../shared/server/origin.ts";
import { diagnosisOf } from "../../tools/doctor/finding.ts";
import { respondOwn, route } from "./exchange.ts";

/** An examination makes calls with an effect: whoever asks sooner gets the last one. */
const KEEP_MS = 10_000;

const MAX_PAGE_CHARACTERS = 2000;

/**
 * Says what is wrong between this BFF and its service; with `?page=`, or asked from another origin, also whether that page
 * of the site may show the panel. Failure: bad_request for what is no page's address, rate_limited.
 */
export function createReadDoctor(deps: {
  readonly clock: Clock;
  readonly examine: () => Promise<readonly Finding[]>;
  readonly examinePage: (page: URL) => Promise<readonly Finding[]>;
  readonly ownOrigins: readonly string[];
}) {
  let last: { readonly at: number; readonly findings: Promise<readonly Finding[]> } | undefined;
  return route(readDoctor, async (exchange) => {
    const page = pageAsked(exchange.query("page"), exchange.origin, deps.ownOrigins);
    const ofPage = page === undefined ? [] : await deps.examinePage(page);
    const now = deps.clock.now();
    if (!last || now - last.at >= KEEP_MS) last = { at: now, findings: deps.examine() };
    return respondOwn(exchange, diagnosisOf([...(await last.findings), ...ofPage]));
  });
}

/** The page that is named, or else the start page of the site that asks; undefined where the panel itself does. */
function pageAsked(
  named: string | undefined,
  origin: string | undefined,
  ownOrigins: readonly string[],
): URL | undefined {
  if (named === undefined) {
    return origin === undefined || ownOrigins.includes(origin) ? undefined : new URL(origin);
  }
  const page = named.length > MAX_PAGE_CHARACTERS ? undefined : parseUrl(named);
  if (!page || !isOrigin(page.origin) || page.username !== "" || page.password !== "") {
    throw new Failure("bad_request", { detail: "page: must be the address of a page of the site." });
  }
  return page;
}
