import { describe, expect, it } from "vitest";
import { sentencesOf } from "./testing/routing-kit.ts";

const to = { channel: "web" };
const EMPTY = "An empty list matches nothing; leave the key out to match everything.";
const PATTERN = "is not a pattern of paths such as /pricing, /products/* or /help/**.";
const TAG = 'is not a language tag such as "de" or "fr-CH".';
const CONDITION = 'Must be a list of values such as ["enterprise"], or a comparison such as {"atLeast": 50}.';
const NO_NUMBER = "No number is within these bounds, so nobody can match.";
const NO_ATTRIBUTE =
  "Names an attribute that no customer can have; names start with a letter and have no spaces.";
const NAME = "Must be a name of 1 to 128 characters without spaces around it and without control characters.";

/** A rule's JSON and the sentences that it must give as the only rule. */
type RuleFault = [rule: unknown, ...sentences: string[]];

describe("a rule that is wrong stops the start with its sentence", () => {
  it.each<RuleFault>([
    // keys
    [{ match: {}, ...to, agentprovider: "x" }, 'Unrecognized key: "agentprovider".'],
    [{ match: {}, ...to, locales: ["de"] }, 'Unrecognized key: "locales".'],
    [{ match: { channel: "x" }, ...to }, 'match: Unrecognized key: "channel".'],
    [{ match: { userIds: ["a"] }, ...to }, 'match: Unrecognized key: "userIds".'],
    [JSON.parse('{"match": {"__proto__": {}}, "channel": "a"}'), 'match: Unrecognized key: "__proto__".'],
    [to, "match: Invalid input: expected object, received undefined."],
    // targets
    [{ match: {} }, "Give at least one of channel, agentProvider, humanHandoffAdapter."],
    [{ match: {}, channel: "" }, `channel: ${NAME}`],
    [{ match: {}, agentProvider: "  " }, `agentProvider: ${NAME}`],
    [{ match: {}, humanHandoffAdapter: " desk" }, `humanHandoffAdapter: ${NAME}`],
    [{ match: {}, channel: "we\u0000b" }, `channel: ${NAME}`],
    [{ match: {}, channel: null }, "channel: Invalid input: expected string, received null."],
    [{ match: {}, channel: "x".repeat(129) }, `channel: ${NAME}`],
    // reason and trust
    [{ match: {}, ...to, reason: "" }, "reason: Must be one line of text."],
    [{ match: {}, ...to, reason: "a\nb" }, "reason: Must be one line of text."],
    [{ match: {}, ...to, trust: "site" }, 'trust: Invalid input: expected "page".'],
    // the match itself
    [{ match: [], ...to }, "match: Invalid input: expected object, received array."],
    [{ match: { locales: "de" }, ...to }, "match.locales: Invalid input: expected array, received string."],
    [{ match: { locales: [] }, ...to }, `match.locales: ${EMPTY}`],
    [
      { match: { locales: [1] }, ...to },
      "match.locales[0]: Invalid input: expected string, received number.",
    ],
    ...["german", "de_AT", "de-*", "*", "", "de-a-"].map(
      (tag): RuleFault => [{ match: { locales: [tag] }, ...to }, `match.locales[0]: "${tag}" ${TAG}`],
    ),
    [{ match: { pages: {} }, ...to }, "match.pages: Invalid input: expected array, received object."],
    ...["pricing", "https://shop.example/help", "/a?b", "/a**", "/{a,b}", "/a b", "/a/../b"].map(
      (page): RuleFault => [
        { match: { pages: ["/x", page] }, ...to },
        `match.pages[1]: "${page}" ${PATTERN}`,
      ],
    ),
    [
      { match: { userIDs: [7] }, ...to },
      "match.userIDs[0]: Invalid input: expected string, received number.",
    ],
    [{ match: { userIDs: [" a"] }, ...to }, 'match.userIDs[0]: " a" is not an externalId.'],
    // attributes
    [
      { match: { attributes: [] }, ...to },
      "match.attributes: Invalid input: expected record, received array.",
    ],
    [
      { match: { attributes: {} }, ...to },
      "match.attributes: Name at least one attribute, or leave the key out.",
    ],
    [{ match: { attributes: { plan: "a" } }, ...to }, `match.attributes.plan: ${CONDITION}`],
    [{ match: { attributes: { plan: [] } }, ...to }, `match.attributes.plan: ${EMPTY}`],
    [{ match: { attributes: { plan: [null] } }, ...to }, `match.attributes.plan: ${CONDITION}`],
    [{ match: { attributes: { seats: { atLeast: "5" } } }, ...to }, `match.attributes.seats: ${CONDITION}`],
    [
      { match: { attributes: { seats: { over: 5 } } }, ...to },
      'match.attributes.seats: Unrecognized key: "over".',
    ],
    [
      { match: { attributes: { seats: {} } }, ...to },
      "match.attributes.seats: Give at least one of atLeast, atMost, above and below.",
    ],
    ...[
      { atLeast: 50, below: 10 },
      { atLeast: 50, below: 50 },
      { above: 50, atMost: 50 },
      { above: 50, below: 50 },
      { atLeast: 51, atMost: 50 },
    ].flatMap((seats): RuleFault[] => [
      [{ match: { attributes: { seats } }, ...to }, `match.attributes.seats: ${NO_NUMBER}`],
      [{ match: { not: { attributes: { seats } } }, ...to }, `match.not.attributes.seats: ${NO_NUMBER}`],
    ]),
    ...["my plan", "constructor", "1a"].map(
      (name): RuleFault => [
        { match: { attributes: { [name]: ["a"] } }, ...to },
        `match.attributes: ${NO_ATTRIBUTE}`,
      ],
    ),
    // identified, hours and not
    [
      { match: { identified: "yes" }, ...to },
      "match.identified: Invalid input: expected boolean, received string.",
    ],
    [{ match: { hours: "Open" }, ...to }, 'match.hours: Invalid option: expected one of "open"|"closed".'],
    [{ match: { hours: "open" }, ...to }, "match.hours needs SUPPORT_HOURS, which is not set."],
    [{ match: { not: { hours: "open" } }, ...to }, "match.hours needs SUPPORT_HOURS, which is not set."],
    [{ match: { not: {} }, ...to }, 'match.not: An empty "not" excludes everyone; leave the key out.'],
    [{ match: { not: { pages: ["a"] } }, ...to }, `match.not.pages[0]: "a" ${PATTERN}`],
    [{ match: { not: { not: { locales: ["de"] } } }, ...to }, 'match.not: Unrecognized key: "not".'],
    // the rule as a whole
    [5, "Invalid input: expected object, received number."],
    [[], "Invalid input: expected object, received array."],
    // several at once
    [
      { match: { locales: ["de_AT"], pages: ["a"], hour: "open" }, trust: 1 },
      `match.locales[0]: "de_AT" ${TAG}`,
      `match.pages[0]: "a" ${PATTERN}`,
      'match: Unrecognized key: "hour".',
      'trust: Invalid input: expected "page".',
    ],
    [
      { match: { not: { hours: "open" }, attributes: { "my plan": [] } }, ...to, reason: "" },
      `match.attributes["my plan"]: ${EMPTY}`,
      `match.attributes: ${NO_ATTRIBUTE}`,
      "reason: Must be one line of text.",
      "match.hours needs SUPPORT_HOURS, which is not set.",
    ],
  ])("%j", (rule, ...sentences) => {
    expect(sentencesOf({ ROUTING: JSON.stringify([rule]) })).toEqual(
      sentences.map((sentence) => `ROUTING rule 1: ${sentence}`),
    );
  });
});
