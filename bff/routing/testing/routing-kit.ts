import * as fc from "fast-check";
import type { Routing } from "../decide.ts";
import { sentenceOf } from "../fault.ts";
import type { SupportHours } from "../hours.ts";
import type { RouteContext } from "../match.ts";
import type { RuleInput } from "../rule.ts";
import { readRouting } from "../settings.ts";
import { parseHours } from "../support-hours.ts";

/** For tests that need no file. */
export function noFile(path: string): string {
  throw Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT" });
}

/** A valid routing, or a test that fails with every sentence. */
export function routingOf(env: Readonly<Record<string, string>>): Routing {
  const routing = readRouting(env, noFile);
  if (!routing.ok) throw new Error(routing.faults.map(sentenceOf).join("\n"));
  return routing.value;
}

/** Valid hours, or a test that fails with every sentence. */
export function hoursOf(source: string): SupportHours {
  const hours = parseHours(source, noFile);
  if (!hours.ok) throw new Error(hours.faults.map(sentenceOf).join("\n"));
  return hours.value;
}

/** The sentences of a configuration that is wrong; empty for one that is right. */
export function sentencesOf(
  env: Readonly<Record<string, string>>,
  readFile: (path: string) => string = noFile,
): readonly string[] {
  const routing = readRouting(env, readFile);
  return routing.ok ? [] : routing.faults.map(sentenceOf);
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

const attributes = fc.dictionary(fc.constantFrom("plan", "seats"), listOf(fc.constantFrom(...VALUES)), {
  minKeys: 1,
});

const fullMatch = fc.record({
  locales: listOf(fc.constantFrom(...LOCALES)),
  pages: listOf(pathOf(GLOB_SEGMENTS, 3)),
  userIDs: listOf(fc.constantFrom(...IDS)),
  attributes,
  identified: fc.boolean(),
  hours: fc.constantFrom("open" as const, "closed" as const),
});
const matchKeys = ["locales", "pages", "userIDs", "attributes", "identified", "hours"] as const;

/** Up to three conditions: with more, generated rules hardly ever meet. */
const match = fc
  .tuple(fullMatch, fc.subarray([...matchKeys], { maxLength: 3 }))
  .map(([full, keys]): RuleInput["match"] => Object.fromEntries(keys.map((key) => [key, full[key]])));

const seeds = fc.array(
  fc.record({ match, trust: fc.boolean(), narrows: fc.option(fc.nat(6), { nil: undefined }) }),
  { minLength: 1, maxLength: 7 },
);

/** Rules over a small world, so that they often meet; some add conditions to an earlier one, as people's lists do. */
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

/** Customers of the same world. */
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

/** Customers who meet a rule's conditions in every way that its entries allow, at most `limit` of them. */
export function customersOf({ match: wanted }: RuleInput, limit: number): readonly RouteContext[] {
  const pages = wanted.pages?.flatMap((glob) =>
    ["a", "ab", "b/a", "aab"].map((text) => fillStars(glob, text)),
  );
  let customers: readonly RouteContext[] = [{ identified: true }, { identified: false }];
  const spread = (key: keyof RouteContext, values: readonly unknown[] | undefined) => {
    if (values) customers = customers.flatMap((one) => values.map((value) => ({ ...one, [key]: value })));
  };
  spread("locale", wanted.locales?.flatMap((locale) => [locale, `${locale}-x-y`]) ?? [undefined, "it"]);
  spread("page", pages ?? [undefined, "/z"]);
  spread("externalId", wanted.userIDs ?? [undefined, "u9"]);
  const proofs = attributesOf(wanted.attributes ?? {});
  customers = customers.flatMap((one) =>
    proofs.flatMap((known) => [
      { ...one, attributes: known },
      { ...one, pageAttributes: known },
    ]),
  );
  const step = Math.max(1, Math.ceil(customers.length / limit));
  return customers.filter((_, index) => index % step === 0);
}

function fillStars(glob: string, text: string): string {
  return glob.replaceAll("**", text).replaceAll("*", text.replace("/", ""));
}

function attributesOf(
  wanted: NonNullable<RuleInput["match"]["attributes"]>,
): Record<string, string | number | boolean>[] {
  let all: Record<string, string | number | boolean>[] = [{}];
  for (const [key, values] of Object.entries(wanted)) {
    all = all.flatMap((one) => values.map((value) => ({ ...one, [key]: value })));
  }
  return all;
}
