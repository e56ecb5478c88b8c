import * as z from "zod/mini";
import { PROBLEM_MEDIA_TYPE, Problem } from "../../shared/errors.ts";
import type { V1Operation } from "../../shared/operation.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { TurnEvent } from "../../shared/v1/turns.ts";

type Json = Record<string, unknown>;

/** The success status that this service answers with; the contract itself only says 2xx. */
const CREATED = new Set(["sessions", "conversations", "handoffs", "turns", "attachments"]);
/** What a repeated request is answered with where that is another status: an open hand-off is given back. */
const REPEATED: Readonly<Record<string, string>> = {
  handoffs: "Verified: a hand-off that was open already.",
};
const IDEMPOTENT = new Set(["conversations", "handoffs", "attachments"]);

/** The headers that go by names of configuration. */
export interface HeaderNames {
  readonly publicKeyHeader: string;
  readonly handoffSecretHeader: string;
  /** Whether a hand-off needs the secret. */
  readonly handoffSecret: string | undefined;
}

/** OpenAPI 3.1 of the service, made from the schemas that the routes themselves check with. */
export function createOpenApiDocument(headers: HeaderNames): Json {
  const paths: Record<string, Json> = {};
  for (const operation of V1_CONTRACT) {
    const path = operation.path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, headers) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley support service",
      version: "1",
      description: "Any answer that is not 2xx means that the operation failed.",
    },
    paths,
    components: {
      securitySchemes: {
        application: { type: "http", scheme: "bearer", description: "The application credential." },
        session: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A session's token." },
      },
      schemas: { Problem: schemaOf(Problem, "output") },
    },
  };
}

function describe(operation: V1Operation, headers: HeaderNames): Json {
  const status = CREATED.has(operation.id) ? "201" : "200";
  const parameters = parametersOf(operation, headers);
  const repeated = REPEATED[operation.id];
  return {
    operationId: operation.id,
    summary: operation.summary,
    security: operation.auth === "none" ? [] : [{ [operation.auth]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.request
      ? {
          requestBody: { required: true, content: contentOf("application/json", operation.request, "input") },
        }
      : {}),
    ...(operation.upload ? { requestBody: { required: true, content: FILE } } : {}),
    responses: {
      [status]: { description: "Verified.", content: answerOf(operation) },
      ...(repeated ? { "200": { description: repeated, content: answerOf(operation) } } : {}),
      ...(operation.id === "turns"
        ? {
            "200": {
              description: "The answer as it comes, one JSON object a line.",
              content: contentOf("application/x-ndjson", TurnEvent, "output"),
            },
          }
        : {}),
      default: {
        description: "Failed.",
        content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

/** Any of the types that are taken, by its own bytes. */
const FILE = { "application/octet-stream": { schema: {} } };

function answerOf(operation: V1Operation): Json {
  if (operation.download) return FILE;
  const type = operation.id === "events" ? "text/event-stream" : "application/json";
  return contentOf(type, operation.answer, "output");
}

function parametersOf(operation: V1Operation, headers: HeaderNames): Json[] {
  const text = { type: "string" };
  const parameters: Json[] = [];
  for (const [, name] of operation.path.matchAll(/:([A-Za-z]+)/g)) {
    parameters.push({ name, in: "path", required: true, schema: text });
  }
  if (operation.auth !== "none") {
    const description = "The application's public key; where it is sent it must be the workspace's.";
    parameters.push({ name: headers.publicKeyHeader, in: "header", schema: text, description });
  }
  if (operation.id === "handoffs") {
    const required = headers.handoffSecret !== undefined;
    const description = required
      ? "The server-to-server secret."
      : "A server-to-server secret; none is configured here.";
    parameters.push({ name: headers.handoffSecretHeader, in: "header", required, schema: text, description });
  }
  if (operation.upload) parameters.push({ name: "X-File-Name", in: "header", schema: text });
  if (IDEMPOTENT.has(operation.id)) parameters.push({ name: "Idempotency-Key", in: "header", schema: text });
  if (operation.id === "events") parameters.push({ name: "Last-Event-ID", in: "header", schema: text });
  if (operation.id === "messages") {
    parameters.push({ name: "after", in: "query", schema: { type: "integer", minimum: 0 } });
  }
  return parameters;
}

function contentOf(type: string, schema: z.ZodMiniType, io: "input" | "output"): Json {
  return { [type]: { schema: schemaOf(schema, io) } };
}

function schemaOf(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}
