import { canBeClosed, canBeOpen, type SupportHours } from "./hours.ts";
import { coversLanguage } from "./language-range.ts";
import type { AttributeValue, Match } from "./match.ts";
import { containsGlob, type PageGlob } from "./page-glob.ts";
import type { Rule } from "./rule.ts";
import { joinWords } from "./wording.ts";

/** The hours, if any; `faulty` where they are set but wrong, which is told already. */
export type KnownHours = SupportHours | "faulty" | undefined;

/** A rule is split into at most this many cases; with more it is only split by identity and hours. */
const MAX_CASES = 256;

/** A part of what a rule matches. It holds for a customer only if every entry list of it is met. */
interface Case {
  readonly locales: readonly string[] | undefined;
  readonly pages: readonly PageGlob[] | undefined;
  readonly userIDs: ReadonlySet<string> | undefined;
  readonly attributes: ReadonlyMap<string, ReadonlySet<AttributeValue>>;
  readonly trustsPage: boolean;
  readonly identified: boolean;
  readonly hours: "open" | "closed" | undefined;
}

/** A rule that no customer can reach. */
export interface ReachFault {
  readonly rule: number;
  readonly key: string;
  readonly fault: string;
}

/**
 * Rules that can never win: their own match contradicts itself, or earlier rules take all that they match. Nothing is
 * said wrongly (a rule named here is never reached); overlaps of patterns that only a search would find are not seen.
 */
export function reachFaults(rules: readonly Rule[], hours: KnownHours): readonly ReachFault[] {
  const faults: ReachFault[] = [];
  const earlier: Rule[] = [];
  for (const rule of rules) {
    const contradiction = contradictionOf(rule.match, hours);
    if (contradiction) {
      faults.push({ rule: rule.number, ...contradiction });
      continue;
    }
    const takers = takersOf(rule, earlier, hours);
    if (takers) {
      const names = takers.map(String);
      const who =
        names.length === 1
          ? `rule ${names.join("")} already takes`
          : `rules ${joinWords(names)} already take`;
      faults.push({
        rule: rule.number,
        key: "match",
        fault: `"match" can't be reached, because ${who} everything that it matches.`,
      });
    } else {
      earlier.push(rule);
    }
  }
  return faults;
}

function contradictionOf(match: Match, hours: KnownHours): { key: string; fault: string } | undefined {
  const never = (key: string, because: string) => ({
    key: `match.${key}`,
    fault: `"match.${key}" can never hold: ${because}.`,
  });
  if (match.identified === false && match.userIDs) {
    return never(
      "userIDs",
      'the rule asks for "identified": false, and only identified customers have a known id',
    );
  }
  if (match.identified === false && match.attributes && !match.trustsPage) {
    const because =
      'the rule asks for "identified": false, and only identified customers have verified attributes';
    return never("attributes", `${because}; add "trust": "page" to believe what the page says`);
  }
  if (match.hours === undefined || hours === "faulty") return undefined;
  if (hours === undefined) {
    return { key: "match.hours", fault: '"match.hours" needs SUPPORT_HOURS, which is not set.' };
  }
  if (match.hours === "open" && !canBeOpen(hours)) return never("hours", "SUPPORT_HOURS never opens");
  if (match.hours === "closed" && !canBeClosed(hours)) return never("hours", "SUPPORT_HOURS never closes");
  return undefined;
}

/** The earlier rules that together take every case of `rule`, or nothing when one case is left to it. */
function takersOf(rule: Rule, earlier: readonly Rule[], hours: KnownHours): number[] | undefined {
  const takers = new Set<number>();
  for (const one of casesOf(rule.match, hours)) {
    const taker = earlier.find(({ match }) => takes(match, one));
    if (taker === undefined) return undefined;
    takers.add(taker.number);
  }
  return [...takers].toSorted((one, other) => one - other);
}

/** Whether every customer of the case is matched. */
function takes(match: Match, one: Case): boolean {
  if (match.identified !== undefined && match.identified !== one.identified) return false;
  if (match.hours !== undefined && match.hours !== one.hours) return false;
  if (match.userIDs && !isSubset(one.userIDs, match.userIDs)) return false;
  // A case that believes the page may hold by an attribute that nobody verified; a rule that does not believe it, doesn't.
  if (match.attributes && one.trustsPage && !match.trustsPage) return false;
  for (const [key, values] of match.attributes ?? []) {
    if (!isSubset(one.attributes.get(key), values)) return false;
  }
  if (match.locales && !isWithin(one.locales, match.locales, (narrow, wide) => coversLanguage(wide, narrow)))
    return false;
  return !match.pages || isWithin(one.pages, match.pages, (narrow, wide) => containsGlob(wide, narrow));
}

function isSubset<T>(narrow: ReadonlySet<T> | undefined, wide: ReadonlySet<T>): boolean {
  if (narrow === undefined || narrow.size > wide.size) return false;
  for (const entry of narrow) {
    if (!wide.has(entry)) return false;
  }
  return true;
}

function isWithin<T>(
  narrow: readonly T[] | undefined,
  wide: readonly T[],
  covers: (narrow: T, wide: T) => boolean,
): boolean {
  return narrow?.every((entry) => wide.some((other) => covers(entry, other))) === true;
}

/** Splits a match into cases that together are the whole of it, so that several earlier rules can take one each. */
function casesOf(match: Match, hours: KnownHours): readonly Case[] {
  const needsIdentity = match.userIDs !== undefined || (match.attributes !== undefined && !match.trustsPage);
  const identities = [true, false].filter((identified) => {
    return (match.identified ?? identified) === identified && (identified || !needsIdentity);
  });
  const coarse = identities.flatMap((identified) =>
    hoursOf(match, hours).map(
      (state): Case => ({
        locales: match.locales,
        pages: match.pages,
        userIDs: match.userIDs,
        attributes: match.attributes ?? new Map(),
        trustsPage: match.trustsPage && match.attributes !== undefined,
        identified,
        hours: state,
      }),
    ),
  );
  return sizeOf(match) * coarse.length > MAX_CASES ? coarse : coarse.flatMap(splitCase);
}

/** Which states of the hours a rule may meet; without hours there is one state that is neither. */
function hoursOf(match: Match, hours: KnownHours): readonly (Match["hours"] | undefined)[] {
  if (match.hours !== undefined) return [match.hours];
  if (hours === undefined || hours === "faulty") return [undefined];
  const states: Match["hours"][] = [];
  if (canBeOpen(hours)) states.push("open");
  if (canBeClosed(hours)) states.push("closed");
  return states;
}

function sizeOf({ locales, pages, userIDs, attributes }: Match): number {
  const sizes = [...(attributes ?? [])].map(([, values]) => values.size);
  return [locales?.length, pages?.length, userIDs?.size, ...sizes].reduce<number>(
    (all, size) => all * (size ?? 1),
    1,
  );
}

function splitCase(whole: Case): readonly Case[] {
  let cases: readonly Case[] = [whole];
  const { locales, pages, userIDs } = whole;
  if (locales) cases = cases.flatMap((one) => locales.map((locale) => ({ ...one, locales: [locale] })));
  if (pages) cases = cases.flatMap((one) => pages.map((page) => ({ ...one, pages: [page] })));
  if (userIDs) cases = cases.flatMap((one) => [...userIDs].map((id) => ({ ...one, userIDs: new Set([id]) })));
  for (const [key, values] of whole.attributes) {
    cases = cases.flatMap((one) =>
      [...values].map((value) => ({
        ...one,
        attributes: new Map([...one.attributes, [key, new Set([value])]]),
      })),
    );
  }
  return cases;
}
