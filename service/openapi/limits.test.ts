import { describe, expect, test } from "vitest";
import { V1_CONTRACT, type V1Id } from "../../shared/v1/contract.ts";
import { type Limit, limitsIn, OPAQUE, type Path } from "../testing/described-limits.ts";
import { png } from "../testing/files.ts";
import { openTestService, type TestService } from "../testing/test-service.ts";
import { callOf, openPlaceOf, operationOf, send, type V1Call } from "../testing/v1-calls.ts";

type Json = Readonly<Record<string, unknown>>;

/** `body` with another value at a path; what is missing on the way is made. */
function withValue(body: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  if (typeof first === "number") return [withValue(undefined, rest, value)];
  const known = (body ?? {}) as Record<string, unknown>;
  return { ...known, [first]: withValue(known[first], rest, value) };
}

async function documentOf(t: TestService): Promise<Record<string, Record<string, Json>>> {
  return (await (await t.request("/v1/openapi.json")).json()).paths;
}

const describedIn = (paths: Record<string, Record<string, Json>>, id: V1Id): Json => {
  const { path, method } = operationOf(id);
  return paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] ?? {};
};

type RequestBody = {
  readonly description: string;
  readonly content: Record<string, { readonly schema: Json }>;
};
const requestBodyOf = (described: Json) => described["requestBody"] as RequestBody | undefined;
const schemaOf = (described: Json) => requestBodyOf(described)?.content["application/json"]?.schema;

type Opened = { readonly t: TestService; readonly described: Json; readonly valid: V1Call };

/** The service with the valid call of an operation, which each probe changes in one place. */
async function open(id: V1Id): Promise<Opened> {
  const t = await openTestService();
  const described = describedIn(await documentOf(t), id);
  return { t, described, valid: callOf(id, await openPlaceOf(id, t)) };
}

/** The answers on both sides of a limit: 400 if the service refuses the value, another status if it accepts it. */
async function deviationsOf({ t, valid }: Opened, limits: readonly Limit[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, at, taken, refused } of limits) {
    for (const [values, isTaken] of [
      [taken, true],
      [refused, false],
    ] as const)
      for (const value of values) {
        const body = withValue(valid.body, at, value) as Json;
        // Each probe is about a customer of its own, so that traits don't add up.
        const own =
          "externalId" in body && at[0] !== "externalId" && valid.operation.id !== "link"
            ? { externalId: `probe-${Math.random()}` }
            : {};
        const answer = await send(t, { ...valid, body: { ...body, ...own } });
        const isRight = isTaken ? ![400, 413].includes(answer.status) : answer.status === 400;
        if (!isRight)
          found.push(`${name}: ${JSON.stringify(value)?.slice(0, 40)} is answered ${answer.status}`);
      }
  }
  return found;
}

const WITH_BODY = V1_CONTRACT.filter((operation) => "request" in operation).map(({ id }) => id);

describe("API1 every limit of /v1/openapi.json is the service's own", () => {
  test.each(WITH_BODY)("%s: each field takes the limit itself and refuses one more", async (id) => {
    const opened = await open(id);
    const unlimited: string[] = [];
    const limits = limitsIn(schemaOf(opened.described) ?? {}, [], unlimited);
    expect(unlimited, "fields without a limit").toEqual([]);
    expect(await deviationsOf(opened, limits)).toEqual([]);
  });

  test("a document that says one more, or one less, is found (control)", async () => {
    const opened = await open("ratings");
    const wrong = (maxLength: number) =>
      limitsIn({ type: "object", properties: { comment: { type: "string", maxLength } } }, [], []);
    expect(await deviationsOf(opened, wrong(1000))).toEqual([]);
    for (const length of [999, 1001]) expect(await deviationsOf(opened, wrong(length))).toHaveLength(2);
  });

  test("a field without a limit is found (control)", () => {
    const unlimited: string[] = [];
    const properties = { name: { type: "string" }, list: { type: "array" }, n: { type: "integer" } };
    limitsIn({ type: "object", properties }, [], unlimited);
    expect(unlimited).toEqual(["name", "list", "n"]);
  });

  test.each(WITH_BODY)("%s: the body takes its bytes, keys and levels, and refuses one more", async (id) => {
    const { t, described, valid } = await open(id);
    const [, kilobytes, keys, levels] =
      /^At most (\d+) kB, (\d+) keys and (\d+) levels\.$/.exec(requestBodyOf(described)?.description ?? "") ??
      [];
    const text = JSON.stringify(valid.body);
    const status = async (raw: string) => (await send(t, { ...valid, raw })).status;
    const bytes = Number(kilobytes) * 1024;
    expect(await status(text.padEnd(bytes))).not.toBe(413);
    expect(await status(text.padEnd(bytes + 1))).toBe(413);

    const used = [...text.matchAll(/":/g)].length;
    const withKeys = (count: number) =>
      JSON.stringify({
        ...valid.body,
        ...Object.fromEntries(Array.from({ length: count - used }, (_, n) => [`k${n}`, n])),
      });
    expect(await status(withKeys(Number(keys)))).not.toBe(400);
    expect(await status(withKeys(Number(keys) + 1))).toBe(400);

    // The body itself is the first level.
    const nested = (count: number) =>
      `${text.slice(0, -1)}${text === "{}" ? "" : ","}"k":${"[".repeat(count - 1)}${"]".repeat(count - 1)}}`;
    expect(await status(nested(Number(levels)))).not.toBe(400);
    expect(await status(nested(Number(levels) + 1))).toBe(400);
  });

  const PARAMETERS = V1_CONTRACT.flatMap(({ id, ...operation }) => [
    ...Object.keys("query" in operation ? operation.query : {}).map((name) => [id, "query", name] as const),
    ...("headers" in operation ? operation.headers : [])
      .filter((name) => name === "Idempotency-Key" || name === "X-File-Name")
      .map((name) => [id, "header", name] as const),
  ]).filter(([id, , name]) => id === "messages" || name !== OPAQUE);

  test.each(PARAMETERS)(
    "%s: the %s parameter %s takes its limit and refuses one more",
    async (id, kind, name) => {
      const { t, described, valid } = await open(id);
      const parameters = described["parameters"] as readonly {
        readonly name: string;
        readonly schema: Json;
      }[];
      const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {};
      const unlimited: string[] = [];
      const limits = limitsIn(schema, [name], unlimited);
      expect(unlimited).toEqual([]);
      expect(limits.length).toBeGreaterThan(0);
      const statusOf = async (value: unknown) => {
        const headers =
          kind === "header" ? { ...valid.headers, [name.toLowerCase()]: String(value) } : valid.headers;
        const path = kind === "query" ? `${valid.path}?${name}=${String(value)}` : valid.path;
        return (await send(t, { ...valid, headers, path })).status;
      };
      const isAscii = (value: unknown) => kind === "query" || String(value).startsWith("a");
      for (const { taken, refused } of limits) {
        for (const value of taken.filter(isAscii))
          expect(await statusOf(value), String(value)).toBeLessThan(300);
        for (const value of refused.filter(isAscii)) expect(await statusOf(value), String(value)).toBe(400);
      }
    },
  );

  test("an upload takes the documented number of bytes and refuses one more", async () => {
    const { t, described, valid } = await open("attachments");
    const schema = requestBodyOf(described)?.content["application/octet-stream"]?.schema;
    const bytes = Number(schema?.["maxLength"]);
    const padded = (length: number) => png(2, 2, " ".repeat(length - png().length));
    expect((await send(t, { ...valid, raw: padded(bytes) })).status).toBe(201);
    expect((await send(t, { ...valid, raw: padded(bytes + 1) })).status).toBe(413);
  });
});
