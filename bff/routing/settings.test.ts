import { describe, expect, it } from "vitest";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { readRouting } from "./settings.ts";
import { HOURS, noFile, routingOf, sentencesOf } from "./testing/routing-kit.ts";

const to = { channel: "web" };

describe("settings that are wrong stop the start with their sentences", () => {
  it.each<[fault: string, env: Record<string, string>, ...sentences: (string | RegExp)[]]>([
    ["a broken text", { ROUTING: '[{"match": {},}]' }, /^ROUTING is not valid JSON: .+position 14/],
    [
      "an object",
      { ROUTING: '{"rules": []}' },
      "ROUTING must be a list as JSON, or the path of a file with one.",
    ],
    [
      "a missing file",
      { ROUTING: "rules.json" },
      'ROUTING names a file that can\'t be read (ENOENT): "rules.json".',
    ],
    [
      "faults of all rules and all variables",
      {
        ROUTING: JSON.stringify([
          { match: {}, channel: "" },
          { match: { page: ["/a"] }, ...to },
          { match: { hours: "open" }, ...to },
        ]),
        SUPPORT_HOURS: "Mon-Fri 9-5; Sat 09:00-12:00 Europe/Berln",
        AGENT_PROVIDER: "a\nb",
      },
      "AGENT_PROVIDER Must be a name of 1 to 128 characters without spaces around it and without control characters.",
      /^SUPPORT_HOURS must end with an IANA time zone/,
      /^SUPPORT_HOURS holds "9-5"/,
      "ROUTING rule 1: channel: Must be a name of 1 to 128 characters without spaces around it and without control characters.",
      'ROUTING rule 2: match: Unrecognized key: "page".',
    ],
  ])("%s", (_fault, env, ...sentences) => {
    expect(sentencesOf(env)).toEqual(
      sentences.map((one) => (typeof one === "string" ? one : expect.stringMatching(one))),
    );
  });

  it("a fault names its variable and shows a correct value", () => {
    const reader = createEnvironmentReader({ ROUTING: '[{"match": {}}]' }, noFile);
    readRouting(reader);
    expect(reader.faults).toEqual([
      {
        name: "ROUTING",
        fault: "rule 1: Give at least one of channel, agentProvider, humanHandoffAdapter.",
        example: `ROUTING='[{"match":{"locales":["de"]},"agentProvider":"german"}]'`,
      },
    ]);
  });
});

describe("rules that are valid", () => {
  it.each<[fact: string, env: Record<string, string>, count: number]>([
    ["no rules", {}, 0],
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
    const broken = () => '[\n  {"match": {}}\n]';
    expect(sentencesOf({ ROUTING: "/etc/rules.json" }, broken)).toEqual([
      "ROUTING rule 1: Give at least one of channel, agentProvider, humanHandoffAdapter.",
    ]);
  });
});
