import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseConfig as parseBffConfig } from "../bff/config.ts";
import { authVariable } from "../bff/upstream/read-credentials.ts";
import { AGENT_PROVIDERS } from "../service/agents/providers.ts";
import { parseConfig as parseServiceConfig } from "../service/config.ts";
import { ADAPTER_KINDS } from "../service/handoff/adapters.ts";
import { ConfigError } from "../shared/server/environment.ts";
import { V1_CONTRACT } from "../shared/v1/contract.ts";

const ROOT = new URL("../", import.meta.url).pathname;

function read(path: string): string {
  return readFileSync(ROOT + path, "utf8");
}

/** The names of all tests and groups of tests, as written in the sources. */
function testNames(): string[] {
  const files = globSync("{widget,bff,service,shared,start,tools,demo,e2e,.ci}/**/*.{test,spec}.{ts,tsx}", {
    cwd: ROOT,
  });
  return files.flatMap((file) =>
    // `it("…"`, or `it.each([…])("…"`.
    [...read(file).matchAll(/(?:\b(?:test|it|describe)(?:\.\w+)*|\]\))\(\s*(["'`])(.*?)\1/g)].map(
      ([, , name = ""]) => name,
    ),
  );
}

/** The `rules` that appear in no test name. */
function unproven(rules: readonly string[], names: readonly string[]): string[] {
  return rules.filter((rule) => !names.some((name) => new RegExp(`\\b${rule}\\b`).test(name)));
}

describe("docs/behaviour.md", () => {
  const rules = [...read("docs/behaviour.md").matchAll(/^- \*\*([A-Z]+\d+)\*\*/gm)].map(([, id = ""]) => id);

  it("each rule is in the name of a test", () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(unproven(rules, testNames())).toEqual([]);
  });

  it("each rule is defined once", () => {
    expect(rules).toEqual([...new Set(rules)]);
  });

  it("a rule without a test is reported (control)", () => {
    expect(unproven(["MSG1", "MSG99"], ["MSG1 order", "MSG990"])).toEqual(["MSG99"]);
  });

  it("a rule in a test's name is defined in the document", () => {
    const kinds = new Set(rules.map((rule) => rule.replace(/\d+$/, "")));
    const idOfRule = new RegExp(`\\b(?:${[...kinds].join("|")})\\d+\\b`, "g");
    const carried = testNames().flatMap((name) => name.match(idOfRule) ?? []);
    expect(carried.filter((rule) => !rules.includes(rule))).toEqual([]);
  });
});

describe("docs/decisions", () => {
  const files = globSync("docs/decisions/*.md", { cwd: ROOT });
  const numbers = files.map((file) => /(\d{4})-[^/]+$/.exec(file)?.[1] ?? file);

  it("each decision has a number of its own", () => {
    expect(numbers.length).toBeGreaterThan(40);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  it("each title begins with the number of its file", () => {
    const titled = files.filter((file, at) => new RegExp(`^# ${numbers[at]}:? `).test(read(file)));
    expect(titled).toEqual(files);
  });
});

describe("docs/accessibility.md", () => {
  const TERMS = ["Supports", "Partially supports", "Does not support", "Not applicable"];
  const rows = [...read("docs/accessibility.md").matchAll(/^\| (\d+\.\d+\.\d+) .*$/gm)].map(
    ([row, id = ""]) => ({
      id,
      cells: row.split("|").map((cell) => cell.trim()),
    }),
  );
  const wcag = rows.filter(({ cells }) => cells.length === 7);
  /** The tests that `evidence` names and that do not exist. */
  const unbound = (evidence: string, names: readonly string[]) =>
    [...evidence.matchAll(/`([^`]+)`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !names.some((known) => known.includes(name)));

  it("has a row for each criterion of WCAG 2.2 A and AA, in the terms of the form", () => {
    expect(new Set(wcag.map(({ id }) => id)).size).toBe(55);
    for (const { id, cells } of wcag)
      expect([id, TERMS], id).toEqual([id, expect.arrayContaining([cells[2]])]);
  });

  it("each finding except *Not applicable* names existing tests", () => {
    const names = testNames();
    const claimed = wcag.filter(
      ({ cells }) => cells[2] !== "Not applicable" || cells[3] !== "Not applicable",
    );
    expect(claimed.filter(({ cells }) => !/`/.test(cells[5] ?? "")).map(({ id }) => id)).toEqual([]);
    expect(
      rows.flatMap(({ id, cells }) => unbound(cells.at(-2) ?? "", names).map((name) => `${id} ${name}`)),
    ).toEqual([]);
  });

  it("a finding without its test is reported (control)", () => {
    expect(unbound("`one`, `three`", ["test one", "two"])).toEqual(["three"]);
  });
});

type Values = Readonly<Record<string, string | undefined>>;
type Parse = (env: Values, readFile: (path: string) => string) => unknown;

const idsOf = (kinds: readonly { readonly id: string }[]) => kinds.map(({ id }) => id).join();
/** Agents and adapters read their own variables only when they are selected, so all of them are selected. */
const ALL_CHOSEN = { AGENT_PROVIDERS: idsOf(AGENT_PROVIDERS), HANDOFF_ADAPTERS: idsOf(ADAPTER_KINDS) };

/** Every variable that `parse` reads when the environment has `values`; `NAME_FILE` belongs to its secret. */
function variablesOf(parse: Parse, values: Values = ALL_CHOSEN): string[] {
  const asked = new Set<string>();
  const env = new Proxy(values, {
    get: (_, name) => {
      asked.add(String(name));
      return values[String(name)];
    },
  });
  try {
    parse(env, () => "");
  } catch (error) {
    // One of the selected ones requires a variable. Faults are reported after everything was read.
    if (!(error instanceof ConfigError)) throw error;
  }
  return [...asked].filter((name) => !name.endsWith("_FILE")).sort();
}

/** The variables of a section's table: the names in the first cell of each row. */
function documented(section: string): string[] {
  const rows = [...section.matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, cell = ""]) => cell);
  return rows.flatMap((cell) => [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = ""]) => name)).sort();
}

describe("docs/configuration.md", () => {
  const sections = read("docs/configuration.md").split(/^## /m);
  const bff = sections.find((section) => section.startsWith("The BFF")) ?? "";
  const service = sections.find((section) => section.startsWith("The service")) ?? "";
  // Always `application`; the variable exists only to refuse other values.
  const fixed = [authVariable("identify")];

  it("the BFF's table names every variable that the BFF reads, and no other", () => {
    expect(documented(bff)).toEqual(variablesOf(parseBffConfig).filter((name) => !fixed.includes(name)));
  });

  it("the service's table names every variable that the service reads, and no other", () => {
    expect(documented(service)).toEqual(variablesOf(parseServiceConfig));
  });

  it("has a variable for the authentication of each endpoint", () => {
    const names = V1_CONTRACT.map(({ id }) => authVariable(id)).filter((name) => !fixed.includes(name));
    const known = documented(bff);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("a variable that is only read is noticed (control)", () => {
    const parse: Parse = (env, readFile) => [env["ONE"], env["TWO_FILE"], readFile("x")];
    expect(variablesOf(parse)).toEqual(["ONE"]);
  });

  it("a variable that only a selected agent or adapter needs is noticed (control)", () => {
    const parse: Parse = (env) => {
      if (
        env["AGENT_PROVIDERS"] !== idsOf(AGENT_PROVIDERS) ||
        env["HANDOFF_ADAPTERS"] !== idsOf(ADAPTER_KINDS)
      )
        return;
      if (env["KEY"] === undefined)
        throw new ConfigError([{ name: "KEY", fault: "must be set.", example: "KEY=k" }]);
    };
    expect(variablesOf(parse)).toContain("KEY");
    expect(variablesOf(parse, {})).not.toContain("KEY");
  });
});

it("the changelog names the version of package.json", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(read("CHANGELOG.md")).toContain(` ${version}`);
});

it("the changelog says nothing twice", () => {
  const lines = read("CHANGELOG.md")
    .split("\n")
    .filter((line) => line.startsWith("- "));
  expect(lines.filter((line, index) => lines.indexOf(line) < index)).toEqual([]);
});
