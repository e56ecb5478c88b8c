import {
  type Facts,
  knownAttribute,
  type MatchKey,
  missesOf,
  missingAttributes,
} from "../../bff/routing/match.ts";
import type { AttributeCondition, Match } from "../../bff/routing/rule.ts";
import { joinWords } from "./words.ts";

/** Why one key of a match does not hold, as a part of a sentence. */
export function explainMiss(key: MatchKey, match: Match, facts: Facts): string {
  const { locale, page, externalId, identified, hours } = facts;
  switch (key) {
    case "locales":
      return `the language is ${orUnknown(locale)}, not ${oneOf(match.locales)}`;
    case "pages":
      return `the page is ${orUnknown(page)}, not ${oneOf(match.pages?.map(({ source }) => source))}`;
    case "attributes":
      return joinWords(missingAttributes(match, facts).map((name) => explainAttribute(name, match, facts)));
    case "identified":
      return `the customer is ${identified ? "identified" : "anonymous"}`;
    case "hours":
      return `support is ${hours}`;
    case "not":
      return `it excludes customers where ${explainMatch(match.not ?? {}, facts)}`;
    case "userIDs":
      if (!identified) return "the customer is anonymous, and the rule names identified ones";
      return externalId === undefined
        ? "the customer's id is not known"
        : `the rule does not name the customer ${JSON.stringify(externalId)}`;
  }
}

function explainAttribute(name: string, { attributes = {} }: Match, facts: Facts): string {
  const value = knownAttribute(facts, name);
  if (value !== undefined) return `${name} is ${JSON.stringify(value)}, not ${wanted(attributes[name])}`;
  return knownAttribute({ ...facts, trustsPage: true }, name) === undefined
    ? `${name} is not known, and must be ${wanted(attributes[name])}`
    : `${name} is known from the page only, and the rule has no "trust": "page"`;
}

function wanted(condition: AttributeCondition = []): string {
  if (Array.isArray(condition)) return oneOf(condition);
  const words = { atLeast: "at least", atMost: "at most", above: "above", below: "below" };
  return joinWords(
    Object.entries(condition).map(([key, bound]) => `${words[key as keyof typeof words]} ${bound}`),
  );
}

/** Why a match holds, as the rest of a sentence. */
export function explainMatch(match: Match, facts: Facts): string {
  const { locale, page, externalId, identified } = facts;
  const { locales, pages, userIDs, attributes = {}, hours, not } = match;
  const why: string[] = [];
  if (locales) why.push(`language ${JSON.stringify(locale)} is one of ${oneOf(locales, "and")}`);
  if (pages)
    why.push(
      `page ${JSON.stringify(page)} is one of ${oneOf(
        pages.map(({ source }) => source),
        "and",
      )}`,
    );
  if (userIDs) why.push(`the rule names the customer ${JSON.stringify(externalId)}`);
  for (const name of Object.keys(attributes)) {
    const isSigned = knownAttribute({ ...facts, trustsPage: false }, name) !== undefined;
    const source = isSigned ? "" : ", which the page says and the rule trusts";
    why.push(`${name} is ${JSON.stringify(knownAttribute(facts, name))}${source}`);
  }
  if (match.identified !== undefined) why.push(`the customer is ${identified ? "identified" : "anonymous"}`);
  if (hours) why.push(`support is ${hours}`);
  if (not)
    why.push(
      `what it excludes is not the case: ${joinWords(missesOf(not, facts).map((key) => explainMiss(key, not, facts)))}`,
    );
  return why.length === 0 ? "it holds for everyone" : joinWords(why);
}

function orUnknown(value: string | undefined): string {
  return value === undefined ? "not known" : JSON.stringify(value);
}

function oneOf(values: readonly unknown[] = [], link: "or" | "and" = "or"): string {
  return joinWords(
    values.map((value) => JSON.stringify(value)),
    link,
  );
}
