import { describe, expect, test } from "vitest";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { openTestService } from "../testing/test-service.ts";

describe("/v1/openapi.json", () => {
  test("describes every operation of the contract, and nothing else", async () => {
    const t = await openTestService();
    const document = await (await t.request("/v1/openapi.json")).json();
    expect(document.openapi).toBe("3.1.0");
    const described = Object.entries<Record<string, { operationId: string }>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    const contract = V1_CONTRACT.map(
      ({ method, path, id }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")} ${id}`,
    );
    expect(described.sort()).toEqual(contract.sort());
  });

  test("names what a request needs and how it is authenticated", async () => {
    const t = await openTestService();
    const { paths } = await (await t.request("/v1/openapi.json")).json();
    const turn = paths["/v1/support/conversations/{id}/turns"].post;
    expect(turn.security).toEqual([{ session: [] }]);
    const { schema } = turn.requestBody.content["application/json"];
    expect(schema.required).toEqual(expect.arrayContaining(["clientMessageId", "content"]));
    expect(Object.keys(turn.responses)).toEqual(expect.arrayContaining(["200", "201", "default"]));
    expect(paths["/v1/customers/identify"].post.security).toEqual([{ application: [] }]);
    expect(Object.keys(paths["/v1/support/handoffs"].post.responses)).toEqual(["200", "201", "default"]);
  });

  test("names each line that a turn's stream may contain, and the first one", async () => {
    const t = await openTestService();
    const { paths } = await (await t.request("/v1/openapi.json")).json();
    const { schema } =
      paths["/v1/support/conversations/{id}/turns"].post.responses["200"].content["application/x-ndjson"];
    const types = schema.oneOf.map(
      (one: { properties: { type: { const: string } } }) => one.properties.type.const,
    );
    expect(types[0]).toBe("turn.accepted");
    expect(types).toEqual(expect.arrayContaining(["response.completed", "handoff.requested", "error"]));
  });

  test("names the two headers of configuration, and says whether the secret is required", async () => {
    const headersOf = async (config: Parameters<typeof openTestService>[0]) => {
      const { paths } = await (await (await openTestService(config)).request("/v1/openapi.json")).json();
      const parameters: { name: string; in: string; required?: boolean }[] =
        paths["/v1/support/handoffs"].post.parameters;
      return parameters
        .filter((one) => one.in === "header")
        .map(({ name, required }) => [name, required ?? false]);
    };
    expect(await headersOf({})).toEqual([
      ["x-public-key", false],
      ["x-handoff-secret", false],
      ["Idempotency-Key", false],
    ]);
    expect(await headersOf({ handoffSecret: "a-secret-of-sixteen" })).toContainEqual([
      "x-handoff-secret",
      true,
    ]);
  });
});
