import { describe, expect, it } from "vitest";
import { readRouting } from "./settings.ts";
import { HOURS, noFile, routingOf, sentencesOf } from "./testing/routing-kit.ts";

const to = { channel: "web" };

describe("settings that are wrong stop the start with their sentences", () => {
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
