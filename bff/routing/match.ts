import type { Traits } from "../../shared/traits.ts";
import { coversLanguage } from "./language-range.ts";
import { matchesGlob, type PageGlob, parseGlob, readPage } from "./page-glob.ts";

/** What a rule may compare an attribute with; compared with its type, so `"5"` is not `5`. */
export type AttributeValue = string | number | boolean;

/** When a rule holds: all dimensions that are given must hold, and within each one of its entries. */
export interface Match {
  readonly locales: readonly string[] | undefined;
  readonly pages: readonly PageGlob[] | undefined;
  readonly userIDs: ReadonlySet<string> | undefined;
  readonly attributes: ReadonlyMap<string, ReadonlySet<AttributeValue>> | undefined;
  readonly identified: boolean | undefined;
  readonly hours: "open" | "closed" | undefined;
  /** Whether attributes that only the page states may decide (`trust: "page"`). */
  readonly trustsPage: boolean;
}

/** The dimensions of a match, in the order that sentences name them. */
export type MatchKey = "locales" | "pages" | "userIDs" | "attributes" | "identified" | "hours";

/** What is known when a conversation is about to start. `locale` and `page` come from the browser and prove nothing. */
export interface RouteContext {
  /** BCP 47. */
  readonly locale?: string | undefined;
  /** A path or an http(s) address; its path alone counts. */
  readonly page?: string | undefined;
  readonly externalId?: string | undefined;
  /** True only where the site proved who the customer is. */
  readonly identified: boolean;
  /** Attributes out of that proof; passed over where `identified` is false. */
  readonly attributes?: Traits | undefined;
  /** Attributes that the page states. They decide only in a rule with `trust: "page"`, and never against a proved one. */
  readonly pageAttributes?: Traits | undefined;
}

/** A rule's `match` as the JSON has it, its schema already held. */
export interface MatchInput {
  readonly locales?: readonly string[] | undefined;
  readonly pages?: readonly string[] | undefined;
  readonly userIDs?: readonly string[] | undefined;
  readonly attributes?: Readonly<Record<string, readonly AttributeValue[]>> | undefined;
  readonly identified?: boolean | undefined;
  readonly hours?: "open" | "closed" | undefined;
}

/** Makes the match ready: patterns parsed, lists as sets. */
export function compileMatch(input: MatchInput, trustsPage: boolean): Match {
  const attributes = Object.entries(input.attributes ?? {});
  return {
    locales: input.locales,
    pages: input.pages?.map(parseGlob),
    userIDs: input.userIDs && new Set(input.userIDs),
    attributes: input.attributes && new Map(attributes.map(([key, values]) => [key, new Set(values)])),
    identified: input.identified,
    hours: input.hours,
    trustsPage,
  };
}

/**
 * The dimensions of `match` that do not hold, empty when the rule holds. `isOpen` is asked only where the hours count;
 * undefined means that no hours are configured, and then neither open nor closed holds.
 */
export function missesOf(
  match: Match,
  context: RouteContext,
  isOpen: () => boolean | undefined,
): readonly MatchKey[] {
  const misses: MatchKey[] = [];
  const { locale, page, externalId, identified } = context;
  if (
    match.locales &&
    !match.locales.some((range) => locale !== undefined && coversLanguage(range, locale))
  ) {
    misses.push("locales");
  }
  if (match.pages && !holdsPage(match.pages, page)) misses.push("pages");
  if (match.userIDs && !(identified && externalId !== undefined && match.userIDs.has(externalId))) {
    misses.push("userIDs");
  }
  if (match.attributes && missingAttributes(match, context).length > 0) misses.push("attributes");
  if (match.identified !== undefined && match.identified !== identified) misses.push("identified");
  if (match.hours && isOpen() !== (match.hours === "open")) misses.push("hours");
  return misses;
}

/** The attributes that keep the match from holding. */
export function missingAttributes(match: Match, context: RouteContext): readonly string[] {
  const wanted = [...(match.attributes ?? [])];
  return wanted
    .filter(([key, values]) => {
      const value = knownAttribute(context, key, match.trustsPage);
      return value === undefined || value === null || !values.has(value);
    })
    .map(([key]) => key);
}

/** The value that counts: the proved one where there is one, else the page's where the rule trusts it. */
export function knownAttribute(context: RouteContext, key: string, trustsPage: boolean) {
  const { identified, attributes = {}, pageAttributes = {} } = context;
  if (identified && Object.hasOwn(attributes, key)) return attributes[key];
  return trustsPage && Object.hasOwn(pageAttributes, key) ? pageAttributes[key] : undefined;
}

function holdsPage(globs: readonly PageGlob[], page: string | undefined): boolean {
  const path = page === undefined ? undefined : readPage(page);
  return path !== undefined && globs.some((glob) => matchesGlob(glob, path));
}
