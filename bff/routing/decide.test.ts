import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { decideRoute } from "./decide.ts";
import type { RouteContext } from "./match.ts";
import { Rule } from "./rule.ts";
import { naiveWinner } from "./testing/naive-decide.ts";
import {
  CLOSED_AT,
  context,
  findFailure,
  HOURS,
  hoursOf,
  OPEN_AT,
  routingOf,
  rules,
} from "./testing/routing-kit.ts";

// A busy machine may take longer than a unit test usually has; nothing here waits for time.
vi.setConfig({ testTimeout: 60_000 });

const RULES = [
  {
    match: { userIDs: ["vip-1", "vip-2"], hours: "open" },
    humanHandoffAdapter: "concierge",
    reason: "named customer",
  },
  { match: { attributes: { blocked: [true] } }, agentProvider: "faq" },
  { match: { attributes: { plan: ["enterprise", "business"], seats: [100, 500] } }, agentProvider: "senior" },
  { match: { attributes: { plan: ["enterprise"] }, hours: "open" }, humanHandoffAdapter: "premium-desk" },
  { match: { attributes: { plan: ["enterprise"] } }, agentProvider: "premium" },
  { match: { attributes: { beta: ["yes"] } }, trust: "page", agentProvider: "beta" },
  { match: { pages: ["/checkout/**"], identified: false }, channel: "checkout" },
  { match: { pages: ["/help/*"], locales: ["de"] }, agentProvider: "german-help" },
  { match: { pages: ["/help/**", "/docs/*/faq"] }, agentProvider: "help" },
  { match: { locales: ["de-CH", "fr-CH"] }, channel: "swiss" },
  { match: { locales: ["de"] }, agentProvider: "german" },
  { match: { locales: ["zh-Hant"] }, agentProvider: "chinese" },
  { match: { pages: ["/", "/pricing", "/products/*-sale"] }, channel: "sales" },
  { match: { identified: true, hours: "closed" }, channel: "night" },
] as const;

const routing = routingOf({
  ROUTING: JSON.stringify(RULES),
  SUPPORT_HOURS: HOURS,
  SUPPORT_CHANNEL: "web",
  AGENT_PROVIDER: "knowledge",
  HANDOFF_ADAPTER: "desk",
});

const known = { identified: true, externalId: "c-1" };
const anyone = { identified: false };

type Case = [fact: string, context: RouteContext, winner: number | null, at?: number];

const CASES: readonly Case[] = [
  ["nothing is known", anyone, null],
  ["an identified customer in the hours", known, null],
  ["an identified customer after the hours", known, 14, CLOSED_AT],
  ["an anonymous customer after the hours", anyone, null, CLOSED_AT],
  // userIDs
  ["a named customer in the hours", { identified: true, externalId: "vip-1" }, 1],
  ["the other named customer", { identified: true, externalId: "vip-2" }, 1],
  ["a named customer after the hours", { identified: true, externalId: "vip-1" }, 14, CLOSED_AT],
  ["somebody who only claims a named id", { identified: false, externalId: "vip-1" }, null],
  ["a longer id", { identified: true, externalId: "vip-11" }, null],
  ["another case of the id", { identified: true, externalId: "VIP-1" }, null],
  ["identified without an id", { identified: true }, null],
  [
    "a named customer goes before the plan",
    { identified: true, externalId: "vip-1", attributes: { plan: "enterprise" } },
    1,
  ],
  // attributes
  ["enterprise in the hours", { ...known, attributes: { plan: "enterprise" } }, 4],
  ["enterprise after the hours", { ...known, attributes: { plan: "enterprise" } }, 5, CLOSED_AT],
  ["another case of the plan", { ...known, attributes: { plan: "Enterprise" } }, null],
  ["business without seats", { ...known, attributes: { plan: "business" } }, null],
  ["business with seats", { ...known, attributes: { plan: "business", seats: 100 } }, 3],
  ["enterprise with seats", { ...known, attributes: { plan: "enterprise", seats: 500 } }, 3],
  ["seats as a text", { ...known, attributes: { plan: "business", seats: "100" } }, null],
  ["other seats", { ...known, attributes: { plan: "enterprise", seats: 101 } }, 4],
  ["only seats", { ...known, attributes: { seats: 100 } }, null],
  ["blocked", { ...known, attributes: { blocked: true } }, 2],
  ["blocked goes before the plan", { ...known, attributes: { blocked: true, plan: "enterprise" } }, 2],
  ["blocked as a text", { ...known, attributes: { blocked: "true" } }, null],
  ["blocked as a number", { ...known, attributes: { blocked: 1 } }, null],
  ["not blocked", { ...known, attributes: { blocked: false } }, null],
  ["a plan that is null", { ...known, attributes: { plan: null } }, null],
  [
    "verified attributes without a proved customer",
    { identified: false, attributes: { plan: "enterprise" } },
    null,
  ],
  ["an attribute by the name of a method", { ...known, attributes: { toString: "enterprise" } }, null],
  // trust
  ["the page says enterprise", { ...known, pageAttributes: { plan: "enterprise" } }, null],
  ["the page says blocked", { ...anyone, pageAttributes: { blocked: true } }, null],
  ["the page says beta", { ...anyone, pageAttributes: { beta: "yes" } }, 6],
  ["the page says beta of an identified customer", { ...known, pageAttributes: { beta: "yes" } }, 6],
  ["the site proves beta", { ...known, attributes: { beta: "yes" } }, 6],
  [
    "the proof goes before the page",
    { ...known, attributes: { beta: "no" }, pageAttributes: { beta: "yes" } },
    null,
  ],
  [
    "the proof goes before the page, the other way",
    { ...known, attributes: { beta: "yes" }, pageAttributes: { beta: "no" } },
    6,
  ],
  [
    "a proved null goes before the page",
    { ...known, attributes: { beta: null }, pageAttributes: { beta: "yes" } },
    null,
  ],
  [
    "half a plan from the page",
    { ...known, attributes: { plan: "business" }, pageAttributes: { seats: 100 } },
    null,
  ],
  // pages
  ["checkout", { ...anyone, page: "/checkout" }, 7],
  ["deep in the checkout", { ...anyone, page: "/checkout/a/b/c" }, 7],
  ["checkout of an identified customer", { ...known, page: "/checkout" }, null],
  ["a page that only starts like it", { ...anyone, page: "/checkouts" }, null],
  ["help in German", { ...anyone, page: "/help/returns", locale: "de" }, 8],
  ["help two levels down in German", { ...anyone, page: "/help/returns/how", locale: "de" }, 9],
  ["the help's own page in German", { ...anyone, page: "/help", locale: "de" }, 9],
  ["help in French", { ...anyone, page: "/help/returns", locale: "fr" }, 9],
  ["help in an unknown language", { ...anyone, page: "/help/returns" }, 9],
  ["another pattern of the same rule", { ...anyone, page: "/docs/shipping/faq" }, 9],
  ["one level too deep for it", { ...anyone, page: "/docs/shipping/eu/faq" }, null],
  ["the front page", { ...anyone, page: "/" }, 13],
  ["the front page by its address", { ...anyone, page: "https://shop.example" }, 13],
  ["pricing", { ...anyone, page: "/pricing" }, 13],
  ["pricing with a query", { ...anyone, page: "/pricing?from=/help/x" }, 13],
  ["pricing with a fragment", { ...anyone, page: "/pricing#plans" }, 13],
  ["pricing with a slash at its end", { ...anyone, page: "/pricing/" }, 13],
  ["pricing by its address", { ...anyone, page: "https://shop.example/pricing?x=1#y" }, 13],
  ["another case of the path", { ...anyone, page: "/Pricing" }, null],
  ["below pricing", { ...anyone, page: "/pricing/eu" }, null],
  ["a star inside a segment", { ...anyone, page: "/products/shoes-sale" }, 13],
  ["a star that stands for nothing", { ...anyone, page: "/products/-sale" }, 13],
  ["a star does not cross a slash", { ...anyone, page: "/products/shoes/x-sale" }, null],
  ["an encoded slash stays in its segment", { ...anyone, page: "/products/a%2Fb-sale" }, 13],
  ["a path with dots is the path it leads to", { ...anyone, page: "/help/../pricing" }, 13],
  ["an address that is not http(s)", { ...anyone, page: "file:///pricing" }, null],
  ["a page that is not an address", { ...anyone, page: "pricing" }, null],
  ["a page that is too long is ignored", { ...anyone, page: `/help/${"a".repeat(2048)}` }, null],
  // locales
  ["German", { ...anyone, locale: "de" }, 11],
  ["German of Austria", { ...anyone, locale: "de-AT" }, 11],
  ["German of Switzerland", { ...anyone, locale: "de-CH" }, 10],
  ["German of Switzerland, more special", { ...anyone, locale: "de-CH-1996" }, 10],
  ["French of Switzerland", { ...anyone, locale: "fr-ch" }, 10],
  ["French", { ...anyone, locale: "fr" }, null],
  ["upper and lower case are the same", { ...anyone, locale: "DE-at" }, 11],
  ["another language that starts with the same letters", { ...anyone, locale: "del" }, null],
  ["a region of the same letters", { ...anyone, locale: "en-DE" }, null],
  ["Chinese in its traditional script", { ...anyone, locale: "zh-Hant-TW" }, 12],
  ["Chinese without its script", { ...anyone, locale: "zh-TW" }, null],
  // together
  ["a German on the pricing page is German first", { ...anyone, locale: "de", page: "/pricing" }, 11],
  ["pricing after the hours, identified", { ...known, page: "/pricing" }, 13, CLOSED_AT],
  [
    "enterprise in the German help",
    { ...known, attributes: { plan: "enterprise" }, locale: "de", page: "/help/x" },
    4,
  ],
];

describe("decideRoute", () => {
  it.each<Case>(CASES)("%s", (_fact, customer, winner, at = OPEN_AT) => {
    expect(decideRoute(routing, customer, at).rule).toBe(winner);
  });

  it("the table has at least sixty customers, and every rule wins for one of them", () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(CASES.map(([, , winner]) => winner)).size).toBe(RULES.length + 1);
  });

  it("an attribute named like a method is read like any other", () => {
    const rule = { match: { attributes: { toString: ["x"] } }, trust: "page", channel: "web" };
    const named = routingOf({ ROUTING: JSON.stringify([rule]) });
    const customer = { identified: true, attributes: {}, pageAttributes: { toString: "x" } };
    expect(decideRoute(named, customer, OPEN_AT).rule).toBe(1);
  });

  it("a rule's targets replace the defaults one by one", () => {
    const at = (customer: RouteContext) => decideRoute(routing, customer, OPEN_AT).wish;
    const defaults = { channel: "web", agentProvider: "knowledge", humanHandoffAdapter: "desk" };
    expect(at(anyone)).toEqual(defaults);
    expect(at({ ...anyone, locale: "de" })).toEqual({ ...defaults, agentProvider: "german" });
    expect(at({ identified: true, externalId: "vip-1" })).toEqual({
      ...defaults,
      humanHandoffAdapter: "concierge",
    });
  });

  it("the wish is empty without rules and defaults", () => {
    expect(decideRoute(routingOf({}), known, OPEN_AT)).toEqual({
      wish: {},
      rule: null,
      reason: "no routing rule matches",
      trace: [],
    });
  });

  it("the reason is the rule's own, or its number", () => {
    expect(decideRoute(routing, { identified: true, externalId: "vip-1" }, OPEN_AT).reason).toBe(
      "named customer",
    );
    expect(decideRoute(routing, { ...anyone, locale: "de" }, OPEN_AT).reason).toBe("routing rule 11");
  });

  it("the trace names the keys that did not match, and no value of the customer", () => {
    const canary = "canary-7d1f";
    const customer = {
      identified: true,
      externalId: canary,
      locale: "de",
      page: `/help/${canary}`,
      attributes: { plan: canary },
    };
    const decision = decideRoute(routing, customer, CLOSED_AT);
    expect(decision.rule).toBe(8);
    expect(decision.trace[0]).toEqual({ rule: 1, misses: ["userIDs", "hours"] });
    expect(decision.trace.slice(1).map(({ misses }) => misses)).toEqual([
      ["attributes"],
      ["attributes"],
      ["attributes", "hours"],
      ["attributes"],
      ["attributes"],
      ["pages", "identified"],
    ]);
    expect(JSON.stringify(decision)).not.toContain(canary);
  });
});

/** Searches for generated rules and a customer on which both implementations disagree. */
function findDifference(winner: typeof naiveWinner): string | null {
  const hours = hoursOf(HOURS);
  const property = fc.property(
    rules,
    fc.array(context, { minLength: 5, maxLength: 20 }),
    fc.boolean(),
    (raw, customers, open) => {
      const decided = { rules: raw.map((rule) => Rule.parse(rule)), defaults: {}, hours };
      return customers.every(
        (customer) =>
          decideRoute(decided, customer, open ? OPEN_AT : CLOSED_AT).rule ===
          winner(raw, customer, open ? "open" : "closed"),
      );
    },
  );
  return findFailure(property, 1000);
}

describe("a match with not and with bounds", () => {
  const decide = (match: object, customer: RouteContext, trust?: "page") =>
    decideRoute(routingOf({ ROUTING: JSON.stringify([{ match, trust, channel: "x" }]) }), customer, OPEN_AT)
      .rule === 1;

  it.each<[bounds: object, value: unknown, expected: boolean]>([
    [{ atLeast: 50 }, 50, true],
    [{ atLeast: 50 }, 49.9, false],
    [{ above: 50 }, 50, false],
    [{ above: 50 }, 50.1, true],
    [{ atMost: 5 }, 5, true],
    [{ atMost: 5 }, 5.1, false],
    [{ below: 5 }, 5, false],
    [{ below: 5 }, -5, true],
    [{ atLeast: 50, below: 100 }, 99, true],
    [{ atLeast: 50, below: 100 }, 100, false],
    [{ atLeast: 50 }, "50", false],
    [{ atLeast: 0 }, true, false],
    [{ atLeast: 0 }, null, false],
  ])("%j with %j: %s", (bounds, seats, expected) => {
    const customer = { ...known, attributes: { seats: seats as number } };
    expect(decide({ attributes: { seats: bounds } }, customer)).toBe(expected);
  });

  it("a bound never matches an unknown attribute", () => {
    expect(decide({ attributes: { seats: { below: 5 } } }, known)).toBe(false);
  });

  it("a bound trusts the page only in a rule with trust", () => {
    const customer = { ...anyone, pageAttributes: { seats: 80 } };
    expect(decide({ attributes: { seats: { atLeast: 50 } } }, customer)).toBe(false);
    expect(decide({ attributes: { seats: { atLeast: 50 } } }, customer, "page")).toBe(true);
  });

  it("not excludes what all of its keys together match", () => {
    const match = { locales: ["de"], not: { pages: ["/shop/**"], identified: true } };
    expect(decide(match, { ...known, locale: "de", page: "/shop/a" })).toBe(false);
    expect(decide(match, { ...anyone, locale: "de", page: "/shop/a" })).toBe(true);
    expect(decide(match, { ...known, locale: "de", page: "/help" })).toBe(true);
    expect(decide(match, { ...known, locale: "fr", page: "/help" })).toBe(false);
  });

  it("not matches if nothing is known, and ignores what the page says without trust", () => {
    const match = { not: { attributes: { plan: ["free"] } } };
    expect(decide(match, anyone)).toBe(true);
    expect(decide(match, { ...known, attributes: { plan: "free" } })).toBe(false);
    expect(decide(match, { ...anyone, pageAttributes: { plan: "free" } })).toBe(true);
    expect(decide(match, { ...anyone, pageAttributes: { plan: "free" } }, "page")).toBe(false);
  });
});

describe("decideRoute and a naive implementation of the rules", () => {
  it("both give the same winner for generated rules and customers", () => {
    expect(findDifference(naiveWinner)).toBeNull();
  });

  it("control: a reading that trusts the page in every rule differs", () => {
    const trusting: typeof naiveWinner = (raw, customer, state) =>
      naiveWinner(
        raw.map((rule) => ({ ...rule, trust: "page" as const })),
        customer,
        state,
      );
    expect(findDifference(trusting)).not.toBeNull();
  });

  it("control: a reading by the last match differs", () => {
    const last: typeof naiveWinner = (raw, customer, state) => {
      const winner = naiveWinner(raw.toReversed(), customer, state);
      return winner === null ? null : raw.length + 1 - winner;
    };
    expect(findDifference(last)).not.toBeNull();
  });
});
