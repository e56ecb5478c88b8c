import * as fc from "fast-check";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import type { Routing } from "../decide.ts";
import type { SupportHours } from "../hours.ts";
import type { RouteContext } from "../match.ts";
import type { RuleInput } from "../rule.ts";
import { readRouting } from "../settings.ts";
import { parseHours } from "../support-hours.ts";

/** For tests that need no file. */
export function noFile(path: string): string {
  throw Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT" });
}

/** The routing of an environment with the sentences of its faults. */
function read(env: Readonly<Record<string, string>>, readFile: (path: string) => string) {
  const reader = createEnvironmentReader(env, readFile);
  const routing = readRouting(reader);
  return { routing, sentences: reader.faults.map(({ name, fault }) => `${name} ${fault}`) };
}

/** A valid routing; throws every sentence of a faulty one. */
export function routingOf(env: Readonly<Record<string, string>>): Routing {
  const { routing, sentences } = read(env, noFile);
  if (sentences.length > 0) throw new Error(sentences.join("\n"));
  return routing;
}

/** Valid hours; throws every sentence of faulty ones. */
export function hoursOf(source: string): SupportHours {
  return parseHours(source, (fault) => {
    throw new Error(fault);
  });
}

/** The sentences of a faulty configuration; empty for a valid one. */
export function sentencesOf(
  env: Readonly<Record<string, string>>,
  readFile: (path: string) => string = noFile,
): readonly string[] {
  return read(env, readFile).sentences;
}

const LOCALES = ["de", "de-AT", "de-at-1996", "fr", "fr-CH", "en", "EN-us"];
const SEGMENTS = ["a", "b", "ab", "ba"];
const GLOB_SEGMENTS = [...SEGMENTS, "*", "a*", "*b", "a*b", "**"];
const IDS = ["u1", "u2", "u3"];
const VALUES = ["x", "1", 1, true];

function pathOf(segments: readonly string[], max: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...segments), { maxLength: max }).map((parts) => `/${parts.join("/")}`);
}

function listOf<T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(item, { minLength: 1, maxLength: 3 });
}

const bound = fc.constantFrom(-1, 0, 1, 2);
/** Each bound, and a number on each side of it. */
const NEAR_BOUNDS = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5];
const comparison = fc
  .record({ atLeast: bound, atMost: bound, above: bound, below: bound }, { requiredKeys: [] })
  .filter((bounds) => Object.keys(bounds).length > 0)
  .filter(({ atLeast = -9, atMost = 9, above = -9, below = 9 }) =>
    NEAR_BOUNDS.some((value) => value >= atLeast && value <= atMost && value > above && value < below),
  );
const attributes = fc.dictionary(
  fc.constantFrom("plan", "seats"),
  fc.oneof(listOf(fc.constantFrom(...VALUES)), comparison),
  { minKeys: 1 },
);

const fullMatch = fc.record({
  locales: listOf(fc.constantFrom(...LOCALES)),
  pages: listOf(pathOf(GLOB_SEGMENTS, 3)),
  userIDs: listOf(fc.constantFrom(...IDS)),
  attributes,
  identified: fc.boolean(),
  hours: fc.constantFrom("open" as const, "closed" as const),
});
const matchKeys = ["locales", "pages", "userIDs", "attributes", "identified", "hours"] as const;

/** Up to three conditions: with more, generated rules hardly ever match. */
const conditions = (minLength: number) =>
  fc
    .tuple(fullMatch, fc.subarray([...matchKeys], { minLength, maxLength: 3 }))
    .map(([full, keys]): RuleInput["match"] => Object.fromEntries(keys.map((key) => [key, full[key]])));

const match = fc
  .tuple(conditions(0), fc.option(conditions(1), { freq: 4, nil: undefined }))
  .map(([wanted, not]): RuleInput["match"] => (not === undefined ? wanted : { ...wanted, not }));

const seeds = fc.array(
  fc.record({ match, trust: fc.boolean(), narrows: fc.option(fc.nat(6), { nil: undefined }) }),
  { minLength: 1, maxLength: 7 },
);

/** Rules over few values, so that they often match; some add conditions to an earlier one, as in real lists. */
export const rules: fc.Arbitrary<RuleInput[]> = seeds.map((drawn) => {
  const made: RuleInput[] = [];
  for (const { match: own, trust, narrows } of drawn) {
    const base = narrows === undefined ? undefined : made[narrows % Math.max(1, made.length)];
    const both = trust && base !== undefined ? { ...own, ...base.match } : { ...base?.match, ...own };
    made.push({ match: both, channel: "web", ...(trust ? { trust: "page" } : {}) });
  }
  return made;
});

const traits = fc.dictionary(
  fc.constantFrom("plan", "seats"),
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...VALUES) }, { weight: 1, arbitrary: fc.constant(null) }),
);

/** Customers over the same values. */
export const context: fc.Arbitrary<RouteContext> = fc.record(
  {
    locale: fc.constantFrom(...LOCALES),
    page: fc.oneof(pathOf(SEGMENTS, 4), fc.constantFrom("/a/?x=/b", "/a//b/", "https://shop.example/ab/a#b")),
    externalId: fc.constantFrom(...IDS),
    identified: fc.boolean(),
    attributes: traits,
    pageAttributes: traits,
  },
  { requiredKeys: ["identified"] },
);

/** The report of the first failure with its seed, or null when the property held in every run. */
export function findFailure(property: fc.IProperty<unknown>, numRuns: number): string | null {
  return fc.defaultReportMessage(fc.check(property, { numRuns, endOnFailure: true })) ?? null;
}

/** Monday to Friday, and one instant of each state. */
export const HOURS = "Mon-Fri 09:00-17:00 Europe/Berlin";
export const OPEN_AT = Date.parse("2026-11-23T10:00:00+01:00");
export const CLOSED_AT = Date.parse("2026-11-22T10:00:00+01:00");
