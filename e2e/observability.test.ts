import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../bff/config.ts";
import { createMetrics } from "../bff/metrics/metrics.ts";
import { API_OPERATIONS } from "../shared/api/operations.ts";
import { FailureCode } from "../shared/errors.ts";
import { V1_CONTRACT } from "../shared/v1/contract.ts";
import { faultOfRule, namesOf } from "./kit/alert-rule.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const read = (path: string) => readFileSync(ROOT + path, "utf8");
const DOCUMENT = read("docs/observability.md");

/** The rows of the table below a heading, cell by cell. */
function rowsOf(heading: string): string[][] {
  const [, section = ""] = DOCUMENT.split(new RegExp(`^## ${heading}$`, "m"));
  const [table = ""] = section.split(/^## /m);
  return [...table.matchAll(/^\| (`.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
}
const codesIn = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** The metrics' text after each of them was used once. */
async function textNow(circuit: "closed" | "half-open" | "open" = "open"): Promise<string> {
  const metrics = createMetrics();
  metrics.upstream.tried("turns", "ok", 250);
  metrics.upstream.retried("turns");
  metrics.upstream.credentialRefused();
  metrics.request("/api/config", "GET", 200, 1500);
  metrics.rateLimited("sends");
  metrics.sessionStarted();
  metrics.streamReset("gone");
  metrics.duplicateSuppressed();
  metrics.watch(
    () => 1,
    () => new Map([["turns", circuit]]),
  );
  return metrics.text();
}

/** Every metric with its type and its labels. */
function metricsIn(text: string): Record<string, [type: string, ...labels: string[]]> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)];
  return Object.fromEntries(types.map(([, name = "", type = ""]) => [name, [type, ...labelsOf(text, name)]]));
}
/** The value of a series, by its name and its labels as written. */
const valueIn = (text: string, series: string) =>
  text
    .split("\n")
    .find((line) => line.startsWith(`${series} `))
    ?.split(" ")[1];

function labelsOf(text: string, name: string): string[] {
  const [, labels = ""] = new RegExp(`^${name}(?:_bucket)?\\{(.*)\\}`, "m").exec(text) ?? [];
  return [...labels.matchAll(/(\w+)="/g)]
    .map(([, label = ""]) => label)
    .filter((label) => label !== "le")
    .sort();
}

/** The text between the bracket at `from` and the one that closes it. */
function within(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if ("({[".includes(text[at] ?? "")) depth += 1;
    if (")}]".includes(text[at] ?? "")) depth -= 1;
    if (depth === 0) return text.slice(from + 1, at);
  }
  return "";
}

/** The parts of a list, without splitting what is in brackets. */
function partsOf(list: string): string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const letter of list) {
    if ("({[".includes(letter)) depth += 1;
    if (")}]".includes(letter)) depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The fields of spreads and of named objects. */
function fieldsOf(expression: string, source: string): string[] {
  if (expression.startsWith("errorFacts(")) return ["error", "code", "at"];
  if (expression.startsWith("{")) {
    return partsOf(within(expression, 0)).flatMap((part) =>
      part.startsWith("...") ? fieldsOf(part.slice(3), source) : [part.split(":")[0]?.trim() ?? ""],
    );
  }
  const declared = new RegExp(`const ${expression.replace(/\W/g, "")} = (?=\\{)`).exec(source);
  return declared ? fieldsOf(source.slice(declared.index + declared[0].length), source) : [`?${expression}`];
}

/** The rows of the table of labels. */
const LABELS = rowsOf("Metrics").filter(([label]) => !label?.startsWith("`parley_"));

/** Every field of every log entry that the two servers write. */
function logFields(sources: readonly string[]): string[] {
  const fields = sources.flatMap((source) =>
    [...source.matchAll(/\blog\.(?:debug|info|warn|error)\(/g)].flatMap((call) => {
      const [first = ""] = partsOf(within(source, call.index + call[0].length - 1));
      // A log that hands on what another one was given.
      return first === "fields" ? [] : fieldsOf(first, source);
    }),
  );
  return [...new Set(fields)].sort();
}

describe("OPS12 docs/observability.md", () => {
  it("names every metric with its type and its labels, and no other", async () => {
    const documented = rowsOf("Metrics")
      .filter(([name]) => name?.startsWith("`parley_"))
      .map(([name, type, labels]) => [codesIn(name)[0] ?? "", [type, ...codesIn(labels).sort()]]);
    expect(Object.fromEntries(documented)).toEqual(metricsIn(await textNow()));
  });

  it("names the unit of each time, the buckets and the numbers of a circuit's states", async () => {
    const text = await textNow();
    for (const [name, type, , says] of rowsOf("Metrics"))
      if (type === "histogram") expect(says, name).toMatch(/, in seconds$/);
    expect(valueIn(text, 'parley_http_request_seconds_sum{route="/api/config"}')).toBe("1.5");
    expect(valueIn(text, 'parley_upstream_call_seconds_sum{operation="turns"}')).toBe("0.25");
    const [, buckets = ""] = /^The histograms' buckets end at (.*) s\./m.exec(DOCUMENT) ?? [];
    const ends = [...text.matchAll(/^parley_http_request_seconds_bucket\{le="([\d.]+)"/gm)];
    expect(buckets.split(/, | and /)).toEqual(ends.map(([, end]) => end));
    const [, , , says] = rowsOf("Metrics").find(([name]) => name === "`parley_upstream_circuit`") ?? [];
    for (const state of ["closed", "half-open", "open"] as const) {
      const value = valueIn(await textNow(state), 'parley_upstream_circuit{operation="turns"}');
      expect(says).toMatch(new RegExp(`\\b${value} ${state}\\b`));
    }
  });

  it("lists every value of each label", async () => {
    const rows = new Map(LABELS.map(([label, values]) => [codesIn(label)[0] ?? "", codesIn(values)]));
    expect([...rows.keys()].sort()).toEqual(
      [...new Set(Object.values(metricsIn(await textNow())).flatMap(([, ...labels]) => labels))].sort(),
    );
    expect(rows.get("operation")).toEqual(V1_CONTRACT.map(({ id }) => id));
    const settings = {
      BASE_URL: "http://127.0.0.1:9",
      APPLICATION_CREDENTIAL: "a",
      APPLICATION_PUBLIC_KEY: "b",
    };
    const { most } = parseConfig(settings, () => "").limits;
    const others = [...read("bff/gate/limits.ts").matchAll(/\{ name: "([a-z-]+)", max/g)].map(
      ([, name]) => name,
    );
    expect(rows.get("limit")).toEqual([...Object.keys(most), ...others]);
    const [, methods = ""] = /^const METHODS.*new Set\(\[(.*)\]\)/m.exec(read("bff/gate/gate.ts")) ?? [];
    expect(rows.get("method")).toEqual([...methods.replaceAll('"', "").split(", "), "other"]);
    const resets = globSync("bff/**/*.ts", { cwd: ROOT })
      .filter((file) => !file.endsWith(".test.ts"))
      .flatMap((file) => [...read(file).matchAll(/type: "reset", reason: "(\w+)"/g)])
      .map(([, reason]) => reason);
    expect(rows.get("reason")).toEqual([...new Set(resets)]);
    expect(FailureCode.safeParse(rows.get("outcome")?.[1]).success).toBe(true);
  });

  it("names every field of a log entry, and no other", () => {
    const files = globSync("{bff,service,shared/server,start}/**/*.ts", { cwd: ROOT });
    const sources = files.filter((file) => !/test\.ts$|\/testing\//.test(file)).map(read);
    expect(sources.length).toBeGreaterThan(200);
    const documented = rowsOf("Log entries").flatMap(([names]) => codesIn(names));
    expect([...documented].sort()).toEqual([...logFields(sources), "level", "msg", "time"].sort());
  });

  it("each alert is a rule that Prometheus reads, with metrics, labels and values that exist", async () => {
    const known = metricsIn(await textNow());
    const values = new Map(LABELS.map(([label, listed]) => [codesIn(label)[0] ?? "", codesIn(listed)]));
    const rules = rowsOf("Alerts").flatMap(([rule]) => codesIn(rule).filter((code) => / [=><]+ /.test(code)));
    expect(rules.length).toBe(rowsOf("Alerts").length);
    for (const rule of rules) {
      expect(faultOfRule(rule)).toBeUndefined();
      for (const { metric, labels } of namesOf(rule)) {
        if (metric === "up") continue;
        const [type, ...has] = known[metric.replace(/_(bucket|count|sum)$/, "")] ?? [];
        expect(type === "histogram", rule).toBe(/_(bucket|count|sum)$/.test(metric));
        // A counter by itself says nothing, because it only increases.
        if (type === "counter") expect(rule).toMatch(new RegExp(`(rate|increase)\\(${metric}`));
        for (const [label, value] of labels) {
          expect(has, rule).toContain(label);
          const isListed =
            label === "status"
              ? /^[1-5]\d\d$/.test(value)
              : label === "outcome"
                ? value === "ok" || FailureCode.safeParse(value).success
                : label === "route"
                  ? API_OPERATIONS.some(({ path }) => path === value)
                  : values.get(label)?.includes(value);
          expect(isListed, `${rule}: ${label}="${value}"`).toBe(true);
        }
      }
      const grouped = /by \(([^)]*)\)/.exec(rule)?.[1]?.split(", ") ?? [];
      for (const label of grouped) expect(["le", ...values.keys()]).toContain(label);
    }
  });

  it("a rule with a slip is noticed (control)", () => {
    for (const rule of [
      "sum(rate(parley_x_total[5m]) > 1",
      "sum(rate(parley_x_total)) > 1",
      "sum(parley_x_total[5m]) > 1",
      "sum(rate(parley_x_total[5])) > 1",
      "sum(rat(parley_x_total[5m])) > 1",
      'sum(rate(parley_x_total{a=ok"}[5m])) > 1',
      "sum by limit (parley_x_total) > 1",
      "sum(rate(parley_x_total[5m]))",
    ])
      expect(faultOfRule(rule), rule).toBeDefined();
    expect(namesOf('rate(parley_x_total{a="b"}[5m]) > up')).toEqual([
      { metric: "parley_x_total", labels: [["a", "b"]] },
      { metric: "up", labels: [] },
    ]);
  });

  it("a field that is only written is noticed (control)", () => {
    const source = `
      const facts = { adapter, type: event.type };
      log.warn({ ...facts, requestId, answered: a.b(c, d), ...errorFacts(error) }, "x");
      log.error(errorFacts(error), "y"); log.info(unknown, "z"); log.debug(fields, message);
      this.log.info(
        { what: { deep: 1 } }, "w");`;
    expect(logFields([source])).toEqual(
      ["adapter", "type", "requestId", "answered", "error", "code", "at", "what", "?unknown"].sort(),
    );
  });
});
