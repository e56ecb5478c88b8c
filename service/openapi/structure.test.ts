import { describe, expect, test } from "vitest";
import { createOpenApiDocument } from "./document.ts";

const HEADERS = {
  publicKeyHeader: "x-public-key",
  handoffSecretHeader: "x-handoff-secret",
  handoffSecret: undefined,
};

type Json = Record<string, unknown>;

/** What OpenAPI 3.1 and JSON Schema 2020-12 allow in each place that our document uses; anything else is a mistake. */
const ALLOWED = {
  document: ["openapi", "info", "servers", "paths", "components"],
  operation: ["operationId", "summary", "security", "parameters", "requestBody", "responses"],
  parameter: ["name", "in", "required", "schema", "description"],
  response: ["description", "content", "headers"],
  schema: [
    "$ref type properties required additionalProperties propertyNames items enum const anyOf oneOf allOf".split(
      " ",
    ),
    "title description default minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems maxProperties".split(
      " ",
    ),
  ].flat(),
} as const;
const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
const METHODS = ["get", "post", "put", "patch", "delete"];

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const entries = (value: unknown): [string, unknown][] => (isJson(value) ? Object.entries(value) : []);

/** Everything in the document that the specification does not allow, one sentence each. */
function faultsOf(document: Json): string[] {
  const faults: string[] = [];
  const hold = (isRight: boolean, at: string, what: string) => void (isRight || faults.push(`${at} ${what}`));
  const known = (place: keyof typeof ALLOWED, value: Json, at: string) => {
    const allowed: readonly string[] = ALLOWED[place];
    for (const key of Object.keys(value)) hold(allowed.includes(key), at, `has the unknown key ${key}.`);
  };
  const resolves = (ref: string) =>
    ref
      .replace(/^#\//, "")
      .split("/")
      .reduce<unknown>((value, part) => (isJson(value) ? value[part] : undefined), document) !== undefined;

  function checkSchema(value: unknown, at: string): void {
    if (typeof value === "boolean") return;
    if (!isJson(value)) return void faults.push(`${at} is no schema.`);
    known("schema", value, at);
    const { type, $ref, required, properties, pattern } = value;
    if (type !== undefined)
      hold(typeof type === "string" && TYPES.includes(type), at, "has a type that is none.");
    if ($ref !== undefined)
      hold(
        typeof $ref === "string" && resolves($ref),
        at,
        `points to ${JSON.stringify($ref)}, which is not there.`,
      );
    if (pattern !== undefined)
      hold(typeof pattern === "string" && isPattern(pattern), at, "has a pattern that is none.");
    const names = Object.keys(isJson(properties) ? properties : {});
    for (const name of Array.isArray(required) ? required : [])
      hold(names.includes(String(name)), at, `requires ${String(name)}, which it does not describe.`);
    for (const [name, schema] of entries(properties)) checkSchema(schema, `${at}.${name}`);
    for (const key of ["items", "additionalProperties", "propertyNames"])
      if (value[key] !== undefined) checkSchema(value[key], `${at}.${key}`);
    for (const key of ["anyOf", "oneOf", "allOf"]) {
      const list = value[key];
      if (Array.isArray(list))
        for (const [index, schema] of list.entries()) checkSchema(schema, `${at}.${key}.${index}`);
    }
  }

  function checkContent(value: unknown, at: string): void {
    for (const [type, media] of entries(value)) {
      hold(/^[\w-]+\/[\w+.-]+$/.test(type), at, `has the media type ${type}.`);
      checkSchema(isJson(media) ? media["schema"] : undefined, `${at} ${type}`);
    }
  }

  function checkOperation(path: string, method: string, operation: Json): void {
    const at = `${method} ${path}`;
    hold(METHODS.includes(method), at, "is no method.");
    known("operation", operation, at);
    const parameters = (operation["parameters"] ?? []) as Json[];
    for (const parameter of parameters) {
      known("parameter", parameter, at);
      hold(["path", "query", "header"].includes(String(parameter["in"])), at, "has a parameter nowhere.");
      if (parameter["in"] === "path")
        hold(parameter["required"] === true, at, "has an optional part in its path.");
      checkSchema(parameter["schema"], `${at} ${String(parameter["name"])}`);
    }
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = parameters.filter((each) => each["in"] === "path").map((each) => each["name"]);
    hold(inPath.join() === declared.join(), at, "has other parts in its path than it declares.");
    const schemes = (document["components"] as Json | undefined)?.["securitySchemes"];
    for (const need of operation["security"] as Json[])
      for (const name of Object.keys(need))
        hold(isJson(schemes) && name in schemes, at, `needs the scheme ${name}, which is not there.`);
    if (isJson(operation["requestBody"])) checkContent(operation["requestBody"]["content"], `${at} body`);
    hold(entries(operation["responses"]).length > 0, at, "has no answer.");
    for (const [status, response] of entries(operation["responses"])) {
      hold(/^([1-5]\d\d|default)$/.test(status), at, `answers ${status}.`);
      if (!isJson(response)) continue;
      known("response", response, `${at} ${status}`);
      hold(typeof response["description"] === "string", at, `does not describe ${status}.`);
      checkContent(response["content"], `${at} ${status}`);
    }
  }

  known("document", document, "the document");
  hold(/^3\.1\.\d+$/.test(String(document["openapi"])), "the document", "is of another version.");
  const info = document["info"];
  hold(
    isJson(info) && typeof info["title"] === "string" && typeof info["version"] === "string",
    "info",
    "lacks a name.",
  );
  const ids: unknown[] = [];
  for (const [path, methods] of entries(document["paths"])) {
    hold(path.startsWith("/"), path, "does not begin with a slash.");
    for (const [method, operation] of entries(methods)) {
      if (!isJson(operation)) continue;
      checkOperation(path, method, operation);
      ids.push(operation["operationId"]);
    }
  }
  hold(new Set(ids).size === ids.length, "the document", "has an operationId twice.");
  const components = document["components"];
  for (const [name, schema] of entries(isJson(components) ? components["schemas"] : {}))
    checkSchema(schema, name);
  return faults;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    // No alternative matched.
    return false;
  }
}

describe("the OpenAPI document", () => {
  test("conforms to OpenAPI 3.1 and JSON Schema 2020-12", () => {
    expect(faultsOf(createOpenApiDocument(HEADERS))).toEqual([]);
  });

  test.each<[string, (document: Json) => void, RegExp]>([
    [
      "a reference to nothing",
      (d) => delete (d["components"] as Json)["schemas"],
      /points to "#\/components\/schemas\/Problem/,
    ],
    [
      "a scheme that is not there",
      (d) => delete (d["components"] as Json)["securitySchemes"],
      /needs the scheme/,
    ],
    [
      "an undeclared part of a path",
      (d) => put(d, "/v1/x/{id}", { get: operation() }),
      /other parts in its path/,
    ],
    [
      "an unknown keyword",
      (d) => put(d, "/v1/x", { get: { ...operation(), nullable: true } }),
      /unknown key nullable/,
    ],
    [
      "the same operation twice",
      (d) => put(d, "/v1/x", { get: operation(), post: operation() }),
      /operationId twice/,
    ],
  ])("%s is found (control)", (_, spoil, fault) => {
    const document = createOpenApiDocument(HEADERS);
    spoil(document);
    expect(faultsOf(document).join("\n")).toMatch(fault);
  });
});

function put(document: Json, path: string, item: Json): void {
  (document["paths"] as Json)[path] = item;
}

function operation(): Json {
  return { operationId: "x", summary: "x", security: [], responses: { "200": { description: "x" } } };
}
