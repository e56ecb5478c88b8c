import { describe, expect, it } from "vitest";
import { noFile, OPEN_AT } from "../../bff/routing/testing/routing-kit.ts";
import { explainRoute } from "./explain.ts";

// A service elsewhere, whose targets nobody knows.
const BASE_URL = "https://support.example.com";
const env = {
  ROUTING: JSON.stringify([
    { match: { locales: ["de"], pages: ["/help/**"] }, agentProvider: "german" },
    { match: { userIDs: ["vip-1"] }, humanHandoffAdapter: "concierge" },
    {
      match: { attributes: { plan: ["enterprise"], seats: [100] }, hours: "open" },
      humanHandoffAdapter: "desk",
      reason: "Enterprise",
    },
    { match: { attributes: { beta: [true] } }, trust: "page", channel: "beta" },
    { match: { identified: true, hours: "closed" }, channel: "night" },
  ]),
  SUPPORT_HOURS: "Mon-Fri 09:00-17:00 Europe/Berlin",
  AGENT_PROVIDER: "knowledge",
};

function run(args: string, given: Readonly<Record<string, string>> = env) {
  return explainRoute({
    args: args.split(" ").filter(Boolean),
    env: { BASE_URL, ...given },
    readFile: noFile,
    now: OPEN_AT,
  });
}

function lines(args: string): readonly string[] {
  return run(args).output.split("\n");
}

describe("npm run route", () => {
  it("says which rule wins, and why each earlier one does not", () => {
    expect(run("--locale de-AT --page /pricing --attribute plan=enterprise --attribute seats=100")).toEqual({
      exitCode: 0,
      errors: "",
      output: `Rule 3 wins: agentProvider "knowledge" and humanHandoffAdapter "desk". Reason: Enterprise.
Customer: identified, language "de-AT", page "/pricing", plan "enterprise" (verified), seats 100 (verified).
Support is open: it is Monday, 23 November 2026, 10:00 in Europe/Berlin.
Rule 1 does not hold: the page is "/pricing", not "/help/**".
Rule 2 does not hold: the customer's id is not known.
Rule 3 holds: plan is "enterprise", seats is 100 and support is open.
The service's own answer decides; this is what the BFF will ask for.
`,
    });
  });

  it("names the defaults where no rule holds", () => {
    expect(lines("")[0]).toBe('No rule holds, so the defaults apply: agentProvider "knowledge".');
    expect(run("", {}).output.split("\n")[0]).toBe("There are no rules: the service chooses.");
  });

  it.each<[args: string, sentence: string]>([
    ["--page /help/x", 'Rule 1 does not hold: the language is not known, not "de".'],
    ["--locale de", 'Rule 1 does not hold: the page is not known, not "/help/**".'],
    ["", "Rule 2 does not hold: the customer is anonymous, and the rule names identified ones."],
    ["--user c-1", 'Rule 2 does not hold: the rule does not name the customer "c-1".'],
    [
      "--attribute plan=free",
      'Rule 3 does not hold: plan is "free", not "enterprise" and seats is not known, and must be 100.',
    ],
    [
      "--attribute seats=99",
      'Rule 3 does not hold: plan is not known, and must be "enterprise" and seats is 99, not 100.',
    ],
    [
      "--identified --page-attribute plan=enterprise --attribute seats=100",
      'Rule 3 does not hold: plan is known from the page only, and the rule has no "trust": "page".',
    ],
    ["--identified", "Rule 5 does not hold: support is open."],
    ["", "Rule 5 does not hold: the customer is anonymous and support is open."],
    [
      "--identified --at 2026-11-22T10:00:00Z",
      "Support is closed: it is Sunday, 22 November 2026, 11:00 in Europe/Berlin, and it opens Monday, 23 November 2026, 09:00.",
    ],
    [
      "--identified --at 2026-11-22T10:00:00Z",
      "Rule 5 holds: the customer is identified and support is closed.",
    ],
    ["--page-attribute beta=true", "Rule 4 holds: beta is true, which the page says and the rule trusts."],
    ["--user vip-1", 'Rule 2 holds: the rule names the customer "vip-1".'],
    [
      "--locale de-AT --page /help/a?b",
      'Rule 1 holds: language "de-AT" is one of "de" and page "/help/a?b" is one of "/help/**".',
    ],
    [
      "--user c-1 --page-attribute a=b",
      'Customer: identified as "c-1", language not known, page not known, a "b" (from the page).',
    ],
  ])("%s: %s", (args, sentence) => {
    expect(lines(args)).toContain(sentence);
  });

  it.each<[args: string, value: unknown]>([
    ["plan=enterprise", "enterprise"],
    ["plan=100", 100],
    ["plan=-1.5", -1.5],
    ['plan="100"', "100"],
    ["plan=true", true],
    ["plan=null", null],
    ["plan=1e3", "1e3"],
    ["plan=007", "007"],
    ["plan=a=b", "a=b"],
    ["plan=", ""],
  ])("--attribute %s is %j", (attribute, value) => {
    const { output } = run(`--json --attribute ${attribute}`);
    expect(JSON.parse(output).context.attributes).toEqual({ plan: value });
  });

  it("--json gives the same as data", () => {
    const { output, exitCode } = run("--json --locale de --page /help/x --user c-1");
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toEqual({
      rule: 1,
      wish: { agentProvider: "german" },
      reason: "routing rule 1",
      trace: [],
      context: {
        locale: "de",
        page: "/help/x",
        externalId: "c-1",
        identified: true,
        attributes: {},
        pageAttributes: {},
      },
      at: "2026-11-23T09:00:00.000Z",
      hours: { timeZone: "Europe/Berlin", open: true, nextOpening: "2026-11-23T09:00:00.000Z" },
      warnings: [],
    });
  });

  it("explains comparisons, and what a rule excludes", () => {
    const ROUTING = JSON.stringify([
      { match: { attributes: { seats: { atLeast: 50, below: 100 } } }, channel: "large" },
      { match: { locales: ["de"], not: { pages: ["/shop/**"], identified: true } }, channel: "german" },
    ]);
    const sentence = (args: string, number: number) =>
      run(args, { ROUTING })
        .output.split("\n")
        .find((line) => line.startsWith(`Rule ${number} `) && line.includes("hold"));
    expect(sentence("--attribute seats=20", 1)).toBe(
      "Rule 1 does not hold: seats is 20, not at least 50 and below 100.",
    );
    expect(sentence("", 1)).toBe(
      "Rule 1 does not hold: seats is not known, and must be at least 50 and below 100.",
    );
    expect(sentence("--attribute seats=50", 1)).toBe("Rule 1 holds: seats is 50.");
    expect(sentence("--locale de --identified --page /shop/a", 2)).toBe(
      'Rule 2 does not hold: it excludes customers where page "/shop/a" is one of "/shop/**" and the customer is identified.',
    );
    expect(sentence("--locale de --page /shop/a", 2)).toBe(
      'Rule 2 holds: language "de" is one of "de" and what it excludes is not the case: the customer is anonymous.',
    );
  });

  it("warns of rules after one that holds for everyone", () => {
    const ROUTING = '[{"match": {}, "channel": "a"}, {"match": {"locales": ["de"]}, "channel": "b"}]';
    const warning = "ROUTING rule 1 holds for everyone, so the rules after it never win.";
    expect(run("", { ROUTING }).output).toContain(`\nWarning: ${warning}\n`);
    expect(JSON.parse(run("--json", { ROUTING }).output).warnings).toEqual([warning]);
  });

  it("exits with 1 and every fault when the configuration is wrong", () => {
    const wrong = { ROUTING: '[{"match": {}, "chanel": "web"}]', SUPPORT_HOURS: "Mon UTC" };
    expect(run("", wrong)).toEqual({
      exitCode: 1,
      output: "",
      errors: `SUPPORT_HOURS gives no time for "Mon"; write "Mon 09:00-17:00" or "Mon closed".
ROUTING rule 1: Unrecognized key: "chanel".
`,
    });
  });

  it("ROUTE3 exits with 1 for targets that the embedded service does not offer", () => {
    const wrong = {
      BASE_URL: "",
      ROUTING: '[{"match": {}, "humanHandoffAdapter": "vip"}]',
      AGENT_PROVIDER: "gpt",
    };
    expect(run("", wrong)).toEqual({
      exitCode: 1,
      output: "",
      errors: `AGENT_PROVIDER asks for "gpt", but the service offers knowledge.
ROUTING rule 1: humanHandoffAdapter asks for "vip", but the service offers desk.
`,
    });
    expect(run("", { ...wrong, BASE_URL }).exitCode).toBe(0);
    const right = { BASE_URL: "", AGENT_PROVIDERS: "openai", AGENT_PROVIDER: "openai" };
    expect(run("", right).exitCode).toBe(0);
  });

  it.each<[args: string, fault: string]>([
    ["--locale de_AT", '--locale "de_AT" is not a language tag such as "de" or "fr-CH".'],
    ["--page pricing", '--page "pricing" is neither a path nor an http(s) address.'],
    [
      "--at tomorrow",
      '--at "tomorrow" needs a date, a time and an offset, such as 2026-12-25T10:00:00+01:00.',
    ],
    ["--attribute plan", '--attribute "plan" has no value; write it as name=value.'],
    ["--page-attribute 1=2", "--page-attribute: "],
    ["--identified=yes", "Option '--identified' does not take an argument"],
    ["--atribute x=y", "Unknown option '--atribute'"],
    ["more", "Unexpected argument 'more'."],
    ["--user", "Option '--user <value>' argument missing"],
    ["--user --json", "Option '--user' argument is ambiguous."],
  ])("exits with 2 and a sentence when the question is wrong: %s", (args, fault) => {
    const { exitCode, output, errors } = run(args);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(errors.startsWith(fault)).toBe(true);
  });

  it("an instant without its offset and a day that does not exist are refused", () => {
    expect(run("--at 2026-12-25T10:00:00").exitCode).toBe(2);
    expect(run("--at 2026-02-30T10:00:00Z").exitCode).toBe(2);
  });

  it("--help explains the options", () => {
    const { output, exitCode } = run("--help", { ROUTING: "broken" });
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^npm run route -- /);
  });
});
