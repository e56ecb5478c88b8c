import { describe, expect, it } from "vitest";
import { noFile, OPEN_AT } from "../../bff/routing/testing/routing-kit.ts";
import { explainRoute } from "./explain.ts";

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
  return explainRoute({ args: args.split(" ").filter(Boolean), env: given, readFile: noFile, now: OPEN_AT });
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
Rule 2 does not hold: it is not known who the customer is.
Rule 3 holds: plan is "enterprise", seats is 100 and support is open.
The service's own answer decides; this is what it will be asked for.
`,
    });
  });

  it("says that the defaults do where no rule holds", () => {
    expect(lines("")[0]).toBe('No rule holds, so the defaults do: agentProvider "knowledge".');
    expect(run("", {}).output.split("\n")[0]).toBe("There are no rules: the service chooses.");
  });

  it.each<[args: string, sentence: string]>([
    ["--page /help/x", 'Rule 1 does not hold: the language is not known, not "de".'],
    ["--locale de", 'Rule 1 does not hold: the page is not known, not "/help/**".'],
    ["", "Rule 2 does not hold: the customer is anonymous, and it names identified ones."],
    ["--user c-1", 'Rule 2 does not hold: the customer is "c-1", whom it does not name.'],
    [
      "--attribute plan=free",
      'Rule 3 does not hold: plan is "free", not "enterprise" and seats is not known, and it has to be 100.',
    ],
    [
      "--attribute seats=99",
      'Rule 3 does not hold: plan is not known, and it has to be "enterprise" and seats is 99, not 100.',
    ],
    [
      "--identified --page-attribute plan=enterprise --attribute seats=100",
      'Rule 3 does not hold: plan is known from the page alone, and the rule has no "trust": "page".',
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
    ["--user vip-1", 'Rule 2 holds: it names the customer "vip-1".'],
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
    });
  });

  it("leaves with 1 and every fault when the configuration is wrong", () => {
    const wrong = { ROUTING: '[{"match": {}, "chanel": "web"}]', SUPPORT_HOURS: "Mon UTC" };
    const sentences = [
      'SUPPORT_HOURS gives no time for "Mon"; write it as "Mon 09:00-17:00".',
      'ROUTING rule 1: "chanel" is not a key of a rule; did you mean "channel"?',
    ];
    expect(run("--nonsense", wrong)).toEqual({
      exitCode: 1,
      output: "",
      errors: `${sentences.join("\n")}\n--nonsense is not an option; --help lists them.\n`,
    });
    const { output, exitCode } = run("--json", wrong);
    expect(exitCode).toBe(1);
    expect(JSON.parse(output)).toEqual({
      faults: [
        { name: "SUPPORT_HOURS", sentence: sentences[0] },
        { name: "ROUTING", rule: 1, key: "chanel", sentence: sentences[1] },
      ],
    });
  });

  it("leaves with 2 and every fault when the question is wrong", () => {
    const args =
      "--locale de_AT --page pricing --at tomorrow --attribute plan --attribute a=1 --attribute a=2 --page-attribute 1=2 --identified=yes --atribute x=y more --user";
    expect(run(args)).toEqual({
      exitCode: 2,
      output: "",
      errors: `--identified takes no value.
--atribute is not an option; did you mean "--attribute"?
"x=y" belongs to no option.
"more" belongs to no option.
--user needs a value.
--attribute "plan" has no value; write it as name=value.
--attribute gives "a" twice.
--page-attribute "1=2" is not an attribute that a customer can have.
--locale "de_AT" is not a language tag; did you mean "de-AT"?
--page "pricing" is neither a path nor an http(s) address.
--at "tomorrow" is not an instant; write it with its offset, such as 2026-12-25T10:00:00+01:00.
`,
    });
  });

  it("an option is not taken for the value of the one before it", () => {
    expect(run("--user --json")).toMatchObject({ exitCode: 2, errors: "--user needs a value.\n" });
    expect(run("--page --identified").errors).toContain("--page needs a value.\n");
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
