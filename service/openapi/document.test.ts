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

  test("names what a request needs and how it is proven", async () => {
    const t = await openTestService();
    const { paths } = await (await t.request("/v1/openapi.json")).json();
    const turn = paths["/v1/support/conversations/{id}/turns"].post;
    expect(turn.security).toEqual([{ session: [] }]);
    const { schema } = turn.requestBody.content["application/json"];
    expect(schema.required).toEqual(expect.arrayContaining(["clientMessageId", "content"]));
    expect(Object.keys(turn.responses)).toEqual(expect.arrayContaining(["200", "201", "default"]));
    expect(paths["/v1/customers/identify"].post.security).toEqual([{ application: [] }]);
  });
});
