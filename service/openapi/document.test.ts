import { describe, expect, test } from "vitest";
import { AttachmentType } from "../../shared/attachment.ts";
import { MAX_MESSAGE_CODE_POINTS, MAX_TRAITS } from "../../shared/limits.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { createDescribedCheck } from "../testing/described.ts";
import { openTestService } from "../testing/test-service.ts";
import { createOpenApiDocument } from "./document.ts";

const checkDescribed = createDescribedCheck({
  publicKeyHeader: "x-public-key",
  handoffSecretHeader: "x-handoff-secret",
  handoffSecrets: [],
});

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
    const handoff = paths["/v1/support/handoffs"].post;
    const statuses = "200 201 400 401 404 409 413 415 422 500 503 507 default".split(" ");
    expect(Object.keys(handoff.responses)).toEqual(expect.arrayContaining(statuses));
    expect(handoff.responses["409"].description).toMatch(/^Failed: .*conversation_ended.*\.$/);
  });

  test("names every limit: texts, attributes, bodies, files", async () => {
    const t = await openTestService();
    const { paths, servers } = await (await t.request("/v1/openapi.json")).json();
    const bodyOf = (path: string) => paths[path].post.requestBody;
    const fieldsOf = (path: string) => bodyOf(path).content["application/json"].schema.properties;
    const { displayName, attributes, email } = fieldsOf("/v1/customers/identify");
    expect([displayName.maxLength, email.maxLength, attributes.maxProperties]).toEqual([
      200,
      320,
      MAX_TRAITS,
    ]);
    expect(fieldsOf("/v1/support/conversations/{id}/turns").content.properties.body.maxLength).toBe(
      MAX_MESSAGE_CODE_POINTS,
    );
    const { reason, currentIntent, transcript } = fieldsOf("/v1/support/handoffs");
    expect([reason.maxLength, currentIntent.maxLength, transcript.maxLength]).toEqual([500, 4000, 100_000]);
    expect(fieldsOf("/v1/support/conversations/{id}/rating").comment.maxLength).toBe(1000);
    expect(bodyOf("/v1/customers/identify").description).toBe("At most 32 kB, 200 keys and 16 levels.");
    expect(bodyOf("/v1/support/handoffs").description).toBe("At most 416 kB, 200 keys and 16 levels.");
    const file = "/v1/support/conversations/{id}/attachments";
    expect(bodyOf(file).description).toMatch(/at most 10 MB.* image\/png, .*application\/pdf\./);
    expect(bodyOf(file).description).toMatch(
      / at most 50 files of 100 MB together, .* 10 uploads at once\.$/,
    );
    const download = paths[`${file}/{attachmentId}`].get.responses["200"].content;
    expect(Object.keys(download)).toEqual(AttachmentType.options);
    expect(servers).toEqual([{ url: "/", description: "This service." }]);
  });

  test("is described by schemas that a process makes once", () => {
    const names = { publicKeyHeader: "x-public-key", handoffSecretHeader: "x-handoff-secret" };
    const schemasIn = (handoffSecrets: readonly string[]) => {
      const schemas = new Set<object>();
      JSON.stringify(createOpenApiDocument({ ...names, handoffSecrets })["paths"], (key, value) => {
        if (key === "schema") schemas.add(value);
        return value;
      });
      return schemas;
    };
    const [first, second] = [schemasIn([]), schemasIn(["a-secret-of-sixteen"])];
    const isBody = (schema: object) => "properties" in schema || "oneOf" in schema;
    const bodies = [...first].filter(isBody);
    expect(bodies.length).toBeGreaterThan(10);
    expect(bodies.filter((schema) => !second.has(schema))).toEqual([]);
  });

  test("API1 an answer that is described passes (control)", async () => {
    const headers = { "content-type": "application/json" };
    await checkDescribed("POST", "/v1/sdk/sessions", new Response('{"token":"t"}', { status: 201, headers }));
  });

  test.each([
    ["a status", 418, "application/json", "{}", /answered 418, which .* does not describe/],
    ["a media type", 201, "text/html", "<p>", /as text\/html, which .* does not describe/],
    ["a missing field", 201, "application/json", "{}", /with a body that it does not describe/],
    ["an unknown field", 201, "application/json", '{"token":"t","more":1}', /does not describe/],
  ])("API1 an answer with %s that is not described is reported", async (_, status, type, body, sentence) => {
    const answer = new Response(body, { status, headers: { "content-type": type } });
    await expect(checkDescribed("POST", "/v1/sdk/sessions", answer)).rejects.toThrow(sentence);
  });

  test("API1 answers at addresses with ids are checked too", async () => {
    const headers = { "content-type": "application/json" };
    const answer = new Response("{}", { status: 418, headers });
    const asked = checkDescribed("GET", "/v1/support/conversations/c1/attachments/a1", answer);
    await expect(asked).rejects.toThrow(/answered 418, which .* does not describe/);
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
    expect(await headersOf({ handoffSecrets: ["a-secret-of-sixteen"] })).toContainEqual([
      "x-handoff-secret",
      true,
    ]);
  });
});
