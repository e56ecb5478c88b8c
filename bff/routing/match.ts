import type { Traits } from "../../shared/traits.ts";
import { matchesGlob, readPage } from "./page-glob.ts";
import type { AttributeCondition, Match } from "./rule.ts";

/** What is known when a conversation starts. `locale` and `page` come from the browser and are unverified. */
export interface RouteContext {
  readonly locale?: string | undefined;
  /** A path or an http(s) address; only its path counts. */
  readonly page?: string | undefined;
  readonly externalId?: string | undefined;
  /** True only if the site proved who the customer is. */
  readonly identified: boolean;
  /** Attributes from that proof; ignored if `identified` is false. */
  readonly attributes?: Traits | undefined;
  /** What the page reports. It counts only in a rule with `trust: "page"`, and never overrides what the site signed. */
  readonly pageAttributes?: Traits | undefined;
}

export type MatchKey = keyof Match;

/** What a rule is matched against: the customer, whether people are there now, and whether the rule trusts the page. */
export interface Facts extends RouteContext {
  /** Undefined if no hours are configured; then neither matches. */
  readonly hours: "open" | "closed" | undefined;
  readonly trustsPage: boolean;
}

/** The keys of `match` that do not match, in document order; empty when the rule matches. */
export function missesOf(match: Match, facts: Facts): readonly MatchKey[] {
  const { identified, externalId, locale, hours } = facts;
  const path = facts.page === undefined ? undefined : readPage(facts.page);
  const holds: Record<MatchKey, boolean | undefined> = {
    locales: match.locales?.some((range) => locale !== undefined && coversLanguage(range, locale)),
    pages: match.pages?.some((glob) => path !== undefined && matchesGlob(glob, path)),
    userIDs: match.userIDs?.some((id) => identified && id === externalId),
    attributes: match.attributes && missingAttributes(match, facts).length === 0,
    identified: match.identified === undefined ? undefined : match.identified === identified,
    hours: match.hours && match.hours === hours,
    not: match.not && missesOf(match.not, facts).length > 0,
  };
  return (Object.keys(holds) as MatchKey[]).filter((key) => holds[key] === false);
}

/** `de` covers `de` and `de-AT`, not `deu` (RFC 4647, basic filtering). Case does not matter. */
function coversLanguage(range: string, tag: string): boolean {
  return `${tag.toLowerCase()}-`.startsWith(`${range.toLowerCase()}-`);
}

export function missingAttributes(
  { attributes = {} }: Pick<Match, "attributes">,
  facts: Facts,
): readonly string[] {
  return Object.keys(attributes).filter((name) => !fits(attributes[name], knownAttribute(facts, name)));
}

/** The value that counts: the signed one if there is one, otherwise the page's if the rule trusts it. */
export function knownAttribute(facts: Omit<Facts, "hours">, name: string): Traits[string] | undefined {
  const { identified, attributes = {}, pageAttributes = {}, trustsPage } = facts;
  if (identified && Object.hasOwn(attributes, name)) return attributes[name];
  return trustsPage && Object.hasOwn(pageAttributes, name) ? pageAttributes[name] : undefined;
}

/** Values are compared with their type: `"5"` is not `5`, and only a number is compared with bounds. */
function fits(wanted: AttributeCondition | undefined, value: Traits[string] | undefined): boolean {
  if (wanted === undefined || value === undefined || value === null) return false;
  if (Array.isArray(wanted)) return wanted.includes(value);
  const { atLeast = -Infinity, atMost = Infinity, above = -Infinity, below = Infinity } = wanted;
  return typeof value === "number" && value >= atLeast && value <= atMost && value > above && value < below;
}
