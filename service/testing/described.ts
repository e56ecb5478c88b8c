import * as z from "zod";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { createOpenApiDocument, type HeaderNames } from "../openapi/document.ts";

type Json = Record<string, unknown>;
interface Described {
  readonly [status: string]: { readonly content?: Readonly<Record<string, { readonly schema: Json }>> };
}

/** Patterns are of Unicode in JSON Schema, and zod compiles them without: such ones are left out. */
const withoutUnicode = (key: string, value: unknown) =>
  key === "pattern" && /\\p\{/i.test(String(value)) ? undefined : value;

/** Documents share their schemas, so each is compiled once in a process. */
const readers = new WeakMap<Json, z.ZodType>();
function readerOf(schema: Json): z.ZodType {
  const known = readers.get(schema) ?? z.fromJSONSchema(JSON.parse(JSON.stringify(schema, withoutUnicode)));
  readers.set(schema, known);
  return known;
}

/** Returns a check of the service's answers against its own OpenAPI document: status, media type and body. */
export function createDescribedCheck(headers: HeaderNames) {
  const document = createOpenApiDocument(headers);
  const { schemas } = document["components"] as { schemas: Json };
  const paths = document["paths"] as Record<string, Record<string, { responses: Described }>>;
  const operations = V1_CONTRACT.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`),
    responses: paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]?.responses ?? {},
  }));

  /** @throws Error with a sentence for an answer that the document does not describe */
  return async (method: string, pathname: string, answer: Response): Promise<void> => {
    const found = operations.find((one) => one.method === method && one.pattern.test(pathname));
    // Other addresses and methods are not in the document.
    if (!found) return;
    const at = `${method} ${pathname} answered ${answer.status}`;
    const described = found.responses[String(answer.status)];
    if (!described) throw new Error(`${at}, which /v1/openapi.json does not describe.`);
    const type = (answer.headers.get("content-type") ?? "").split(";")[0] ?? "";
    const content = described.content?.[type];
    if (!content) throw new Error(`${at} as ${type}, which /v1/openapi.json does not describe.`);
    if (!type.endsWith("json") || type.endsWith("x-ndjson")) return;
    const schema = "$ref" in content.schema ? (schemas["Problem"] as Json) : content.schema;
    const read = readerOf(schema).safeParse(await answer.clone().json());
    if (!read.success)
      throw new Error(`${at} with a body that it does not describe: ${z.prettifyError(read.error)}`);
  };
}
