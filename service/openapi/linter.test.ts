import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openTestService } from "../testing/test-service.ts";

type Json = Record<string, unknown>;
interface Report {
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
}

const REDOCLY = new URL("../../node_modules/@redocly/cli/bin/cli.js", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "parley-openapi-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The recommended rules, and one more that the document follows.
const CONFIG = `
telemetry: off
extends: [recommended]
rules:
  no-required-schema-properties-undefined: error
`;

async function readDocument(): Promise<Json> {
  const service = await openTestService();
  return (await service.request("/v1/openapi.json")).json() as Promise<Json>;
}

/** Everything that Redocly's linter finds in a document, errors and warnings. */
async function problemsOf(document: Json): Promise<string[]> {
  const files = { config: join(folder, "redocly.yaml"), document: join(folder, "openapi.json") };
  writeFileSync(files.config, CONFIG);
  writeFileSync(files.document, JSON.stringify(document));
  const flags = ["lint", "--format=json", `--config=${files.config}`, files.document];
  const env = { ...process.env, ["REDOCLY_SUPPRESS_UPDATE_NOTICE"]: "true" };
  const printed = await new Promise<string>((resolve) => {
    // It exits with 1 when it finds something: the report says what.
    execFile(process.execPath, [REDOCLY, ...flags], { env, cwd: folder }, (_, stdout, stderr) =>
      resolve(stdout || stderr),
    );
  });
  if (!printed.startsWith("{")) throw new Error(`The linter did not run: ${printed}`);
  return (JSON.parse(printed) as Report).problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

/** Every regular expression in the document; the linter does not look at them. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "pattern" && typeof inner === "string" ? [inner] : patternsIn(inner),
  );
}

describe("API1 the OpenAPI document", () => {
  test("passes the linter's recommended rules without a warning", async () => {
    expect(await problemsOf(await readDocument())).toEqual([]);
  });

  test("has only patterns that are regular expressions", async () => {
    const patterns = patternsIn(await readDocument());
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) expect(() => new RegExp(pattern, "u"), pattern).not.toThrow();
  });

  const SPOILT: readonly (readonly [string, spoil: (document: Json) => void, problem: RegExp])[] = [
    [
      "a reference to nothing",
      (d) =>
        put(d, "/v1/reference", {
          get: { ...operation("reference"), responses: { "200": { $ref: "#/components/responses/None" } } },
        }),
      /^no-unresolved-refs: /,
    ],
    [
      "a scheme that is not there",
      (d) => delete (d["components"] as Json)["securitySchemes"],
      /^security-defined: /,
    ],
    [
      "an undeclared part of a path",
      (d) => put(d, "/v1/part/{id}", { get: operation("part") }),
      /^path-parameters-defined: .*`\{id\}`/,
    ],
    [
      "an unknown keyword",
      (d) => put(d, "/v1/keyword", { get: { ...operation("keyword"), nullable: true } }),
      /^struct: .*`nullable`/,
    ],
    [
      "the same operation twice",
      (d) => put(d, "/v1/twice", { get: operation("twice"), post: operation("twice") }),
      /^operation-operationId-unique: /,
    ],
    [
      "a required field that is not described",
      (d) =>
        put(d, "/v1/field", {
          get: { ...operation("field"), responses: { "200": answer({ required: ["a"], properties: {} }) } },
        }),
      /^no-required-schema-properties-undefined: /,
    ],
  ];
  // One document has all of these faults, because each start of the linter takes a second.
  const lintSpoilt = async () => {
    const document = await readDocument();
    for (const [, spoil] of SPOILT) spoil(document);
    return problemsOf(document);
  };
  let problems: ReturnType<typeof lintSpoilt> | undefined;
  test.each(SPOILT)("%s is found (control)", async (_, __, problem) => {
    problems ??= lintSpoilt();
    expect(await problems).toContainEqual(expect.stringMatching(problem));
  });
});

function put(document: Json, path: string, item: Json): void {
  (document["paths"] as Json)[path] = item;
}

function operation(operationId: string): Json {
  return { operationId, summary: "x", security: [], responses: { "200": { description: "x" } } };
}

function answer(schema: Json): Json {
  return { description: "x", content: { "application/json": { schema: { type: "object", ...schema } } } };
}
