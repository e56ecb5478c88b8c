import { describe, expect, it } from "vitest";
import { sentenceOf } from "./fault.ts";
import { readRouting } from "./settings.ts";
import { checkTargets } from "./targets.ts";
import { HOURS, noFile, routingOf, sentencesOf } from "./testing/routing-kit.ts";

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

  it.each<[fault: string, env: Record<string, string>, ...sentences: string[]]>([
    [
      "a broken text",
      { ROUTING: '[{"match": {},}]' },
      "ROUTING is not valid JSON: line 1, column 15: a key in double quotes is expected.",
    ],
    ["an object", { ROUTING: '{"rules": []}' }, "ROUTING must be a list of rules, but it is an object."],
    [
      "one rule alone",
      { ROUTING: '{"match": {}, "channel": "web"}' },
      "ROUTING must be a list of rules, but it is an object; put [ and ] around it.",
    ],
    ["a text", { ROUTING: '"rules"' }, 'ROUTING must be a list of rules, but it is the text "rules".'],
    [
      "a missing file",
      { ROUTING: "rules.json" },
      'ROUTING is neither JSON, which starts with [, nor a file that can be read (ENOENT): "rules.json".',
    ],
    [
      "too many rules",
      { ROUTING: JSON.stringify(Array.from({ length: 501 }, () => 0)) },
      "ROUTING holds 501 rules, but 500 is the most.",
    ],
    [
      "a text without end",
      { ROUTING: `[${" ".repeat(1_000_000)}]` },
      "ROUTING is longer than 1000000 characters.",
    ],
    [
      "a key twice",
      { ROUTING: '[{"match": {}, "channel": "a", "channel": "b"}]' },
      'ROUTING rule 1: holds the key "channel" twice.',
    ],
    [
      "a key twice inside",
      { ROUTING: '[{"match": {"pages": ["/a"], "pages": ["/b"]}, "channel": "a"}]' },
      'ROUTING rule 1: "match" holds the key "pages" twice.',
    ],
    [
      "a reserved key",
      { ROUTING: '[{"match": {"__proto__": {}}, "channel": "a"}]' },
      'ROUTING rule 1: "match" holds the reserved key "__proto__".',
    ],
    [
      "a number without end",
      { ROUTING: '[{"match": {"attributes": {"seats": [1e999]}}, "channel": "a"}]' },
      `ROUTING rule 1: "match.attributes.seats" holds the number 1e999, which can't be kept exactly.`,
    ],
    [
      "hours that never close",
      {
        ROUTING: '[{"match": {"hours": "closed"}, "channel": "a"}]',
        SUPPORT_HOURS: "Mon-Sun 00:00-24:00 UTC",
      },
      'ROUTING rule 1: "match.hours" can never hold: SUPPORT_HOURS never closes.',
    ],
    [
      "hours that are wrong are told once",
      { ROUTING: '[{"match": {"hours": "closed"}, "channel": "a"}]', SUPPORT_HOURS: "Mon-Fri 09:00-17:00" },
      'SUPPORT_HOURS has no time zone at its end; write one such as "Europe/Berlin".',
    ],
    [
      "unreachable rules",
      {
        ROUTING: JSON.stringify([
          { match: { locales: ["de"] }, ...to },
          { match: { locales: ["de-AT"] }, ...to },
          { match: { identified: true }, ...to },
          { match: { identified: false }, ...to },
          { match: {}, ...to },
        ]),
      },
      `ROUTING rule 2: "match" can't be reached, because rule 1 already takes everything that it matches.`,
      `ROUTING rule 5: "match" can't be reached, because rules 3 and 4 already take everything that it matches.`,
    ],
    [
      "faults of all rules and all variables",
      {
        ROUTING: JSON.stringify([
          { match: {}, channel: "" },
          { match: { page: ["/a"] }, ...to },
          { match: {}, ...to },
          { match: {}, ...to },
        ]),
        SUPPORT_HOURS: "Mon-Fri 9-5 Europe/Berln",
        AGENT_PROVIDER: "a\nb",
      },
      "AGENT_PROVIDER must be a name of 1 to 128 characters without control characters.",
      'SUPPORT_HOURS holds "9-5", which is not a range of times; write it as "09:00-17:30".',
      'SUPPORT_HOURS ends with "Europe/Berln", which is not an IANA time zone; did you mean "Europe/Berlin"?',
      'ROUTING rule 1: "channel" must not be empty; leave the key out to keep the default.',
      'ROUTING rule 2: "page" is not a key of "match"; did you mean "pages"?',
      `ROUTING rule 4: "match" can't be reached, because rule 3 already takes everything that it matches.`,
    ],
  ])("%s", (_fault, env, ...sentences) => {
    expect(sentencesOf(env)).toEqual(sentences);
  });

  it("a fault carries its variable, rule and key, and how a right value looks", () => {
    const routing = readRouting({ ROUTING: '[{"match": {}, "channel": ""}]' }, noFile);
    expect(routing).toEqual({
      ok: false,
      faults: [
        {
          name: "ROUTING",
          rule: 1,
          key: "channel",
          fault: 'rule 1: "channel" must not be empty; leave the key out to keep the default.',
          example: `ROUTING='[{"match":{"locales":["de"]},"agentProvider":"german"}]'`,
        },
      ],
    });
  });
});

describe("rules that are right", () => {
  it.each<[fact: string, env: Record<string, string>, count: number]>([
    ["none at all", {}, 0],
    ["an empty variable", { ROUTING: "  " }, 0],
    ["an empty list", { ROUTING: "[]" }, 0],
    ["one that always holds", { ROUTING: '[{"match": {}, "channel": "web"}]' }, 1],
    [
      "one with hours",
      { ROUTING: '[{"match": {"hours": "closed"}, "channel": "night"}]', SUPPORT_HOURS: HOURS },
      1,
    ],
    [
      "a trust that nothing needs",
      { ROUTING: '[{"match": {"pages": ["/"]}, "trust": "page", "channel": "web"}]' },
      1,
    ],
  ])("%s", (_fact, env, count) => {
    expect(routingOf(env).rules).toHaveLength(count);
  });

  it("come from a file where ROUTING names one", () => {
    const readFile = (path: string) =>
      path === "/etc/rules.json" ? '\uFEFF[{"match": {}, "channel": "web"}]\n' : noFile(path);
    expect(sentencesOf({ ROUTING: "/etc/rules.json" }, readFile)).toEqual([]);
    const broken = () => '[\n  {"match": {}, "channel": ""}\n]';
    expect(sentencesOf({ ROUTING: "/etc/rules.json" }, broken)).toEqual([
      'ROUTING rule 1: "channel" must not be empty; leave the key out to keep the default.',
    ]);
  });
});

describe("checkTargets", () => {
  const routing = routingOf({
    ROUTING: JSON.stringify([
      { match: { locales: ["de"] }, agentProvider: "germn" },
      { match: { locales: ["fr"] }, agentProvider: "french", humanHandoffAdapter: "pager" },
      { match: {}, channel: "web" },
    ]),
    SUPPORT_CHANNEL: "wab",
    AGENT_PROVIDER: "knowledge",
  });

  it("names each default and each rule that asks for what the service does not offer", () => {
    const offered = {
      channel: ["web", "app"],
      agentProvider: ["knowledge", "german"],
      humanHandoffAdapter: [],
    };
    expect(checkTargets(routing, offered).map(sentenceOf)).toEqual([
      'SUPPORT_CHANNEL asks for "wab", which the service does not offer; did you mean "web"?',
      'ROUTING rule 1: "agentProvider" asks for "germn", which the service does not offer; did you mean "german"?',
      'ROUTING rule 2: "agentProvider" asks for "french", which the service does not offer; it offers knowledge and german.',
      'ROUTING rule 2: "humanHandoffAdapter" asks for "pager", which the service does not offer; it offers none.',
    ]);
  });

  it("says nothing of a kind that the service does not list", () => {
    expect(checkTargets(routing, { channel: ["web", "wab"] })).toEqual([]);
  });

  it("says nothing where all is offered", () => {
    const offered = {
      channel: ["web", "wab"],
      agentProvider: ["knowledge", "germn", "french"],
      humanHandoffAdapter: ["pager"],
    };
    expect(checkTargets(routing, offered)).toEqual([]);
  });
});
