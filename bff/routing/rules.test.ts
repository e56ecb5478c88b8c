import { describe, expect, it } from "vitest";
import { sentencesOf } from "./testing/routing-kit.ts";

const to = { channel: "web" };
const KEYS = "match, trust, channel, agentProvider, humanHandoffAdapter and reason";
const MATCH_KEYS = "locales, pages, userIDs, attributes, identified and hours";

/** A rule's JSON and the sentences that it must give as the only rule. */
type RuleFault = [rule: unknown, ...sentences: string[]];

describe("a rule that is wrong stops the start with its sentence", () => {
  it.each<RuleFault>([
    // keys
    [
      { match: {}, ...to, agentprovider: "x" },
      '"agentprovider" is not a key of a rule; did you mean "agentProvider"?',
    ],
    [
      { match: {}, ...to, handoffAdapter: "x" },
      '"handoffAdapter" is not a key of a rule; did you mean "humanHandoffAdapter"?',
    ],
    [{ match: {}, ...to, provider: "x" }, '"provider" is not a key of a rule; did you mean "agentProvider"?'],
    [{ match: {}, ...to, priority: 1 }, `"priority" is not a key of a rule; its keys are ${KEYS}.`],
    [{ match: {}, ...to, locales: ["de"] }, '"locales" is not a key of a rule; it belongs inside "match".'],
    [{ match: { channel: "x" }, ...to }, '"channel" is not a key of "match"; it belongs beside "match".'],
    [{ match: { local: ["de"] }, ...to }, '"local" is not a key of "match"; did you mean "locales"?'],
    [{ match: { userIds: ["a"] }, ...to }, '"userIds" is not a key of "match"; did you mean "userIDs"?'],
    [{ match: { country: ["de"] }, ...to }, `"country" is not a key of "match"; its keys are ${MATCH_KEYS}.`],
    [{ mach: {}, ...to }, '"mach" is not a key of a rule; did you mean "match"?'],
    [{ match: {}, chanel: "web" }, '"chanel" is not a key of a rule; did you mean "channel"?'],
    [to, '"match" is missing; write "match": {} for a rule that always holds.'],
    // targets
    [{ match: {} }, "sets no target; give at least one of channel, agentProvider and humanHandoffAdapter."],
    [{ match: {}, channel: "" }, '"channel" must not be empty; leave the key out to keep the default.'],
    [
      { match: {}, agentProvider: "  " },
      '"agentProvider" must not be empty; leave the key out to keep the default.',
    ],
    [
      { match: {}, humanHandoffAdapter: "" },
      '"humanHandoffAdapter" must not be empty; leave the key out to keep the default.',
    ],
    [{ match: {}, channel: 5 }, '"channel" must be a name such as "german", but it is the number 5.'],
    [{ match: {}, channel: null }, '"channel" must be a name such as "german", but it is null.'],
    [{ match: {}, channel: ["web"] }, '"channel" must be a name such as "german", but it is a list.'],
    [{ match: {}, channel: "x".repeat(129) }, '"channel" must be at most 128 characters long.'],
    [
      { match: {}, channel: " web" },
      '"channel" must be a name without space around it and without control characters.',
    ],
    [
      { match: {}, channel: "we\u0000b" },
      '"channel" must be a name without space around it and without control characters.',
    ],
    // reason and trust
    [{ match: {}, ...to, reason: "" }, '"reason" must be one line of 1 to 500 characters.'],
    [{ match: {}, ...to, reason: "a\nb" }, '"reason" must be one line of 1 to 500 characters.'],
    [{ match: {}, ...to, reason: true }, '"reason" must be a text, but it is true.'],
    [{ match: {}, ...to, trust: "site" }, '"trust" must be "page" or left out, but it is the text "site".'],
    [{ match: {}, ...to, trust: true }, '"trust" must be "page" or left out, but it is true.'],
    // the match itself
    [{ match: [], ...to }, '"match" must be an object such as {"locales": ["de"]}, but it is a list.'],
    [
      { match: "de", ...to },
      '"match" must be an object such as {"locales": ["de"]}, but it is the text "de".',
    ],
    // locales
    [
      { match: { locales: "de" }, ...to },
      '"match.locales" must be a list of language tags such as ["de", "fr-CH"], but it is the text "de".',
    ],
    [
      { match: { locales: [] }, ...to },
      '"match.locales" must not be an empty list, which nothing matches; leave the key out to match everything.',
    ],
    [{ match: { locales: [1] }, ...to }, '"match.locales" may hold only texts, but holds the number 1.'],
    [
      { match: { locales: ["german"] }, ...to },
      '"match.locales" holds "german", which is not a language tag; write a tag of BCP 47 such as "de" or "fr-CH".',
    ],
    [
      { match: { locales: ["de_AT"] }, ...to },
      '"match.locales" holds "de_AT", which is not a language tag; did you mean "de-AT"?',
    ],
    [
      { match: { locales: ["de-*"] }, ...to },
      '"match.locales" holds "de-*", which is not a language tag; write "de", which holds for every region of it.',
    ],
    [
      { match: { locales: ["*"] }, ...to },
      '"match.locales" holds "*", which is not a language tag; write a tag of BCP 47 such as "de" or "fr-CH".',
    ],
    [
      { match: { locales: [""] }, ...to },
      '"match.locales" holds "", which is not a language tag; write a tag of BCP 47 such as "de" or "fr-CH".',
    ],
    [
      { match: { locales: ["de-a-"] }, ...to },
      '"match.locales" holds "de-a-", which is not a language tag; write a tag of BCP 47 such as "de" or "fr-CH".',
    ],
    // pages
    [
      { match: { pages: {} }, ...to },
      '"match.pages" must be a list of paths such as ["/pricing", "/help/**"], but it is an object.',
    ],
    [
      { match: { pages: ["pricing"] }, ...to },
      '"match.pages" holds "pricing", which is not a path; write it from the first slash, here "/pricing".',
    ],
    [
      { match: { pages: ["https://shop.example/help?x"] }, ...to },
      '"match.pages" holds "https://shop.example/help?x", which is an address; write the path alone, here "/help".',
    ],
    [
      { match: { pages: ["/a?b"] }, ...to },
      '"match.pages" holds "/a?b", which holds ? or #; pages are matched by their path alone.',
    ],
    [
      { match: { pages: ["/a**"] }, ...to },
      '"match.pages" holds "/a**", which holds ** inside a segment; it stands alone between slashes, as in /help/**.',
    ],
    [
      { match: { pages: ["/{a,b}"] }, ...to },
      '"match.pages" holds "/{a,b}", which holds brackets; the only signs are * (within one segment) and ** (any depth).',
    ],
    [
      { match: { pages: ["/a b"] }, ...to },
      '"match.pages" holds "/a b", which holds a space, a backslash or a control character.',
    ],
    [
      { match: { pages: ["/a/../b"] }, ...to },
      '"match.pages" holds "/a/../b", which holds . or .. as a segment.',
    ],
    [
      { match: { pages: ["/50%"] }, ...to },
      '"match.pages" holds "/50%", which holds a percent sign that encodes nothing.',
    ],
    [
      { match: { pages: [`/${"a".repeat(512)}`] }, ...to },
      `"match.pages" holds "/${"a".repeat(57)}…, which is longer than 512 characters.`,
    ],
    // userIDs
    [
      { match: { userIDs: "a" }, ...to },
      '"match.userIDs" must be a list of externalIds such as ["customer-7"], but it is the text "a".',
    ],
    [{ match: { userIDs: [7] }, ...to }, '"match.userIDs" may hold only texts, but holds the number 7.'],
    [
      { match: { userIDs: [" a"] }, ...to },
      '"match.userIDs" holds " a", which is no externalId (1 to 255 characters, no space around it).',
    ],
    [
      { match: { userIDs: Array.from({ length: 1001 }, (_, id) => `c-${id}`) }, ...to },
      '"match.userIDs" may hold at most 1000 entries, but holds 1001.',
    ],
    // attributes
    [
      { match: { attributes: [] }, ...to },
      '"match.attributes" must be an object of lists such as {"plan": ["enterprise"]}, but it is a list.',
    ],
    [
      { match: { attributes: {} }, ...to },
      '"match.attributes" must not be empty; leave the key out to match everything.',
    ],
    [
      { match: { attributes: { plan: "a" } }, ...to },
      '"match.attributes.plan" must be a list of values such as ["enterprise"], but it is the text "a".',
    ],
    [
      { match: { attributes: { plan: [] } }, ...to },
      '"match.attributes.plan" must not be an empty list, which nothing matches; leave the key out to match everything.',
    ],
    [
      { match: { attributes: { plan: [null] } }, ...to },
      '"match.attributes.plan" may hold only texts, numbers, true and false, but holds null.',
    ],
    [
      { match: { attributes: { plan: [{}] } }, ...to },
      '"match.attributes.plan" may hold only texts, numbers, true and false, but holds an object.',
    ],
    [
      { match: { attributes: { plan: ["x".repeat(257)] } }, ...to },
      `"match.attributes.plan" holds "${"x".repeat(58)}…, which no attribute can be.`,
    ],
    [
      { match: { attributes: { "my plan": ["a"] } }, ...to },
      '"match.attributes" holds "my plan", which no attribute can be called.',
    ],
    [
      { match: { attributes: { constructor: ["a"] } }, ...to },
      '"match.attributes" holds "constructor", which no attribute can be called.',
    ],
    // identified and hours
    [
      { match: { identified: "yes" }, ...to },
      '"match.identified" must be true or false, but it is the text "yes".',
    ],
    [
      { match: { hours: "Open" }, ...to },
      '"match.hours" must be "open" or "closed", but it is the text "Open".',
    ],
    [{ match: { hours: "open" }, ...to }, '"match.hours" needs SUPPORT_HOURS, which is not set.'],
    // a match that can never hold
    [
      { match: { identified: false, userIDs: ["a"] }, ...to },
      '"match.userIDs" can never hold: the rule asks for "identified": false, and only identified customers have a known id.',
    ],
    [
      { match: { identified: false, attributes: { plan: ["a"] } }, ...to },
      '"match.attributes" can never hold: the rule asks for "identified": false, and only identified customers have verified attributes; add "trust": "page" to believe what the page says.',
    ],
    // the rule as a whole
    [
      5,
      'the rule must be an object such as {"match": {"locales": ["de"]}, "agentProvider": "german"}, but it is the number 5.',
    ],
    [
      null,
      'the rule must be an object such as {"match": {"locales": ["de"]}, "agentProvider": "german"}, but it is null.',
    ],
    [
      [],
      'the rule must be an object such as {"match": {"locales": ["de"]}, "agentProvider": "german"}, but it is a list.',
    ],
    // several at once
    [
      { match: { locales: ["de_AT"], pages: ["a"], hour: "open" }, trust: 1 },
      '"match.locales" holds "de_AT", which is not a language tag; did you mean "de-AT"?',
      '"match.pages" holds "a", which is not a path; write it from the first slash, here "/a".',
      '"hour" is not a key of "match"; did you mean "hours"?',
      '"trust" must be "page" or left out, but it is the number 1.',
      "sets no target; give at least one of channel, agentProvider and humanHandoffAdapter.",
    ],
  ])("%j", (rule, ...sentences) => {
    expect(sentencesOf({ ROUTING: JSON.stringify([rule]) })).toEqual(
      sentences.map((sentence) => `ROUTING rule 1: ${sentence}`),
    );
  });
});
