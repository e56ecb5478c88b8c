import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { decideRoute } from "./decide.ts";
import { type KnownHours, reachFaults } from "./reach.ts";
import { compileRule, type Rule, type RuleInput } from "./rule.ts";
import {
  CLOSED_AT,
  customersOf,
  findFailure,
  HOURS,
  hoursOf,
  OPEN_AT,
  rules,
} from "./testing/routing-kit.ts";

// A busy machine may take longer than a unit test usually has; nothing here waits for time.
vi.setConfig({ testTimeout: 60_000 });

const hours = hoursOf(HOURS);
type Reach = (rules: readonly Rule[], hours: KnownHours) => readonly number[];

function compile(raw: readonly RuleInput[]): Rule[] {
  return raw.map((rule, index) => compileRule(rule, index + 1));
}

/** Looks for a customer who reaches a rule that `reach` calls unreachable; also counts what it called so. */
function checkSound(reach: Reach, numRuns: number): { found: string | null; flagged: number } {
  let flagged = 0;
  const property = fc.property(rules, (raw) => {
    const compiled = compile(raw);
    return reach(compiled, hours).every((number) => {
      flagged += 1;
      const unreachable = raw[number - 1];
      const customers = unreachable === undefined ? [] : customersOf(unreachable, 150);
      return customers.every((customer) =>
        [OPEN_AT, CLOSED_AT].every(
          (at) => decideRoute({ rules: compiled, defaults: {}, hours }, customer, at).rule !== number,
        ),
      );
    });
  });
  const found = findFailure(property, numRuns);
  return { found, flagged };
}

const ours: Reach = (compiled, known) => reachFaults(compiled, known).map(({ rule }) => rule);

describe("reachFaults", () => {
  it("never names a rule that a customer reaches", () => {
    const { found, flagged } = checkSound(ours, 400);
    expect(found).toBeNull();
    expect(flagged).toBeGreaterThan(100);
  });

  it("would be caught if it ignored who is believed (control)", () => {
    const careless: Reach = (compiled, known) =>
      ours(
        compiled.map((rule) => ({ ...rule, match: { ...rule.match, trustsPage: true } })),
        known,
      );
    expect(checkSound(careless, 5000).found).not.toBeNull();
  });

  it("would be caught if it ignored the pages (control)", () => {
    const careless: Reach = (compiled, known) =>
      ours(
        compiled.map((rule) => ({ ...rule, match: { ...rule.match, pages: undefined } })),
        known,
      );
    expect(checkSound(careless, 5000).found).not.toBeNull();
  });
});

const to = { channel: "web" };

describe("a rule that can't be reached is found", () => {
  it.each<[fact: string, earlier: RuleInput["match"][], later: RuleInput["match"], taken: number[]]>([
    ["behind one that always holds", [{}], { locales: ["de"] }, [1]],
    ["behind the same", [{ locales: ["de"] }], { locales: ["de"] }, [1]],
    ["behind its language", [{ locales: ["de"] }], { locales: ["de-AT", "DE-ch"] }, [1]],
    [
      "behind two rules for its languages",
      [{ locales: ["de"] }, { locales: ["fr"] }],
      { locales: ["fr-CH", "de"] },
      [1, 2],
    ],
    ["behind its pages", [{ pages: ["/help/**"] }], { pages: ["/help", "/help/a*", "/help/*/b"] }, [1]],
    [
      "behind two rules for its pages",
      [{ pages: ["/a"] }, { pages: ["/b"] }],
      { pages: ["/a", "/b"] },
      [1, 2],
    ],
    ["behind its customers", [{ userIDs: ["a", "b"] }], { userIDs: ["b"] }, [1]],
    ["behind all identified ones", [{ identified: true }], { userIDs: ["b"] }, [1]],
    [
      "behind all identified ones, by attribute",
      [{ identified: true }],
      { attributes: { plan: ["a"] } },
      [1],
    ],
    [
      "behind its attribute",
      [{ attributes: { plan: ["a", "b"] } }],
      { attributes: { plan: ["b"], seats: [1] } },
      [1],
    ],
    ["behind both identities", [{ identified: true }, { identified: false }], { locales: ["de"] }, [1, 2]],
    ["behind both states of the hours", [{ hours: "open" }, { hours: "closed" }], {}, [1, 2]],
    [
      "behind the four corners",
      [
        { identified: true, hours: "open" },
        { identified: true, hours: "closed" },
        { identified: false, hours: "open" },
        { identified: false, hours: "closed" },
      ],
      { pages: ["/a"] },
      [1, 2, 3, 4],
    ],
  ])("%s", (_fact, earlier, later, taken) => {
    const compiled = compile([...earlier, later].map((match) => ({ match, ...to })));
    const who = taken.length === 1 ? "rule 1 already takes" : /rules [\d, and]+ already take/;
    expect(reachFaults(compiled, hours).map(({ rule }) => rule)).toEqual([earlier.length + 1]);
    expect(reachFaults(compiled, hours)[0]?.fault).toMatch(who);
  });

  it.each<[fact: string, earlier: RuleInput, later: RuleInput]>([
    ["a wider language", { match: { locales: ["de-AT"] }, ...to }, { match: { locales: ["de"] }, ...to }],
    ["a wider page", { match: { pages: ["/help/*"] }, ...to }, { match: { pages: ["/help/**"] }, ...to }],
    [
      "a rule that also believes the page",
      { match: { attributes: { plan: ["a"] } }, ...to },
      { match: { attributes: { plan: ["a"] } }, trust: "page", ...to },
    ],
    [
      "the same value of another type",
      { match: { attributes: { seats: ["5"] } }, ...to },
      { match: { attributes: { seats: [5] } }, ...to },
    ],
    ["a rule without the condition", { match: { identified: true }, ...to }, { match: {}, ...to }],
    ["only one state of the hours", { match: { hours: "open" }, ...to }, { match: {}, ...to }],
    ["one more customer", { match: { userIDs: ["a"] }, ...to }, { match: { userIDs: ["a", "b"] }, ...to }],
  ])("%s is reached", (_fact, earlier, later) => {
    expect(reachFaults(compile([earlier, later]), hours)).toEqual([]);
  });

  it("long lists are not split, and still found behind one rule that has them all", () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `c-${index}`);
    const compiled = compile([
      { match: { userIDs: ids }, ...to },
      { match: { userIDs: ids.slice(1), locales: ["de", "fr"] }, ...to },
    ]);
    expect(reachFaults(compiled, hours).map(({ rule }) => rule)).toEqual([2]);
  });
});
