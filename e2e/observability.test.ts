import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMetrics } from "../bff/metrics/metrics.ts";

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

/** Every metric with its labels, after each of them was used once. */
async function metricsNow(): Promise<Record<string, string[]>> {
  const metrics = createMetrics();
  metrics.upstream.tried("turns", "ok", 1);
  metrics.upstream.retried("turns");
  metrics.upstream.credentialRefused();
  metrics.request("/api/config", "GET", 200, 1);
  metrics.rateLimited("sends");
  metrics.sessionStarted();
  metrics.streamReset("gone");
  metrics.duplicateSuppressed();
  metrics.watch(
    () => 1,
    () => new Map([["turns", "open" as const]]),
  );
  const text = await metrics.text();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name).sort();
  return Object.fromEntries(names.map((name) => [name, labelsOf(text, name)]));
}

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

/** What spreads, and names of objects, stand for. */
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
  it("names every metric with its labels, and no other", async () => {
    const documented = rowsOf("Metrics").map(([name, labels]) => [
      codesIn(name)[0] ?? "",
      codesIn(labels).sort(),
    ]);
    expect(Object.fromEntries(documented)).toEqual(await metricsNow());
  });

  it("names every field of a log entry, and no other", () => {
    const files = globSync("{bff,service,shared/server}/**/*.ts", { cwd: ROOT });
    const sources = files.filter((file) => !/test\.ts$|\/testing\//.test(file)).map(read);
    expect(sources.length).toBeGreaterThan(200);
    const documented = rowsOf("Log entries").flatMap(([names]) => codesIn(names));
    expect([...documented].sort()).toEqual([...logFields(sources), "level", "msg", "time"].sort());
  });

  it("the alerts use only metrics that exist", async () => {
    const known = Object.keys(await metricsNow());
    const used = rowsOf("Alerts").flatMap(([rule]) => rule?.match(/parley_[a-z_]+/g) ?? []);
    expect(used.length).toBeGreaterThan(5);
    for (const name of used) expect(known).toContain(name.replace(/_(bucket|count|sum)$/, ""));
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
