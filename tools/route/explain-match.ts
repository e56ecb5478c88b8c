import {
  knownAttribute,
  type Match,
  type MatchKey,
  missingAttributes,
  type RouteContext,
} from "../../bff/routing/match.ts";
import { joinWords, quote } from "../../bff/routing/wording.ts";

/** Why one dimension of a rule does not hold, as a part of a sentence. */
export function explainMiss(
  key: MatchKey,
  match: Match,
  context: RouteContext,
  open: boolean | undefined,
): string {
  const { locale, page, externalId, identified } = context;
  if (key === "locales") return `the language is ${orUnknown(locale)}, not ${anyOf(match.locales)}`;
  if (key === "pages")
    return `the page is ${orUnknown(page)}, not ${anyOf(match.pages?.map(({ source }) => source))}`;
  if (key === "attributes") {
    return joinWords(missingAttributes(match, context).map((name) => explainAttribute(name, match, context)));
  }
  if (key === "identified") return `the customer is ${identified ? "identified" : "anonymous"}`;
  if (key === "hours") return `support is ${open ? "open" : "closed"}`;
  if (!identified) return "the customer is anonymous, and it names identified ones";
  return externalId === undefined
    ? "it is not known who the customer is"
    : `the customer is ${quote(externalId)}, whom it does not name`;
}

function explainAttribute(name: string, match: Match, context: RouteContext): string {
  const wanted = anyOf([...(match.attributes?.get(name) ?? [])]);
  const value = knownAttribute(context, name, match.trustsPage);
  if (value !== undefined) return `${name} is ${quote(value)}, not ${wanted}`;
  return knownAttribute(context, name, true) === undefined
    ? `${name} is not known, and it has to be ${wanted}`
    : `${name} is known from the page alone, and the rule has no "trust": "page"`;
}

/** Why a rule holds, as the rest of a sentence. */
export function explainMatch(match: Match, context: RouteContext): string {
  const { locale, page, externalId } = context;
  const why: string[] = [];
  if (match.locales) why.push(`language ${quote(locale)} is one of ${allOf(match.locales)}`);
  if (match.pages)
    why.push(`page ${quote(page)} is one of ${allOf(match.pages.map(({ source }) => source))}`);
  if (match.userIDs) why.push(`it names the customer ${quote(externalId)}`);
  for (const name of match.attributes?.keys() ?? []) {
    const isVerified = knownAttribute(context, name, false) !== undefined;
    const value = quote(knownAttribute(context, name, match.trustsPage));
    why.push(`${name} is ${value}${isVerified ? "" : ", which the page says and the rule trusts"}`);
  }
  if (match.identified !== undefined)
    why.push(`the customer is ${match.identified ? "identified" : "anonymous"}`);
  if (match.hours) why.push(`support is ${match.hours}`);
  return why.length === 0 ? "it holds for everyone" : joinWords(why);
}

function orUnknown(value: string | undefined): string {
  return value === undefined ? "not known" : quote(value);
}

function anyOf(values: readonly unknown[] = []): string {
  return joinWords(values.map(quote), "or");
}

function allOf(values: readonly unknown[]): string {
  return joinWords(values.map(quote));
}
