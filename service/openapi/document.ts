import * as z from "zod/mini";
import { AttachmentType } from "../../shared/attachment.ts";
import { FAILURES, type FailureCode, PROBLEM_MEDIA_TYPE, Problem } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { MAX_ATTACHMENT_BYTES, MAX_JSON_DEPTH, MAX_JSON_KEYS } from "../../shared/limits.ts";
import type { OperationHeader, StreamForm, V1Operation } from "../../shared/operation.ts";
import { MAX_NAME_BYTES } from "../../shared/server/file-upload.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { IDEMPOTENCY_KEY } from "../http/idempotency-key.ts";
import { POSITION } from "../routes/messages.ts";
import { MAX_CONVERSATION_BYTES, MAX_CONVERSATION_FILES } from "../store/attachments.ts";
import { MAX_AT_ONCE } from "../store/coming-files.ts";

type Json = Record<string, unknown>;

/** The names of the headers that are configuration. */
export interface HeaderNames {
  readonly publicKeyHeader: string;
  readonly handoffSecretHeader: string;
  /** Whether a hand-off requires the secret. */
  readonly handoffSecrets: readonly string[];
}

/** OpenAPI 3.1 of the service, generated from the schemas that the routes themselves use. */
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
      license: { name: "MIT", identifier: "MIT" },
    },
    // The path of the document itself.
    servers: [{ url: "/", description: "This service." }],
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
  const { auth, request, upload, repeated, stream } = operation;
  const parameters = parametersOf(operation, headers);
  const content = request ? contentOf("application/json", request, "input") : upload ? FILE : undefined;
  return {
    operationId: operation.id,
    summary: operation.summary,
    security: auth === "none" ? [] : [{ [auth]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, description: bodyLimitOf(operation), content } } : {}),
    responses: {
      ...(stream ? { "200": { description: "The answer as it comes.", content: streamOf(stream) } } : {}),
      ...(stream && operation.status === 200
        ? {}
        : { [operation.status]: { description: "Verified.", content: jsonOf(operation) } }),
      ...(repeated ? { "200": { description: repeated, content: jsonOf(operation) } } : {}),
      ...refusalsOf(operation),
      default: { description: "Failed.", content: PROBLEM },
    },
  };
}

const PROBLEM = { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } };

const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
};

/** The failures of each status, by their codes. */
function refusalsOf(operation: V1Operation): Json {
  const byStatus = Map.groupBy(failureCodesOf(operation), (code) => FAILURES[code][0]);
  const statuses = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: `Failed: ${codes.join(", ")}.`,
      ...(codes.includes("rate_limited") ? { headers: RETRY_AFTER } : {}),
      content: PROBLEM,
    },
  ]);
  return Object.fromEntries(statuses);
}

function failureCodesOf(operation: V1Operation) {
  const { auth, method, path, request, query, upload, headers, storesNothing, refusals = [] } = operation;
  const codes: FailureCode[] = ["internal", "unavailable"];
  if (auth !== "none") codes.push("unauthenticated");
  if (auth === "session") codes.push("session_expired");
  if (request) codes.push("bad_json", "body_too_large", "unsupported_media_type");
  if (request || upload || query || headers) codes.push("bad_request");
  if (path.includes(":") || path.endsWith("/handoffs")) codes.push("not_found");
  if (upload) codes.push("rate_limited");
  if (method !== "GET" && !storesNothing) codes.push("storage_full");
  return new Set([...codes, ...refusals]);
}

function bodyLimitOf({ upload, limits }: V1Operation): string {
  if (upload) {
    return [
      `The file itself, at most ${megabytes(MAX_ATTACHMENT_BYTES)}; its type is found in its bytes: ${AttachmentType.options.join(", ")}.`,
      `A conversation has at most ${MAX_CONVERSATION_FILES} files of ${megabytes(MAX_CONVERSATION_BYTES)} together, and takes ${MAX_AT_ONCE} uploads at once.`,
    ].join(" ");
  }
  return `At most ${limits.requestBytes / 1024} kB, ${MAX_JSON_KEYS} keys and ${MAX_JSON_DEPTH} levels.`;
}

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

/** A file's raw bytes: OpenAPI's `maxLength` counts the octets of a body that is no text. */
const FILE = { "application/octet-stream": { schema: { maxLength: MAX_ATTACHMENT_BYTES } } };

const jsonOf = ({ answer }: V1Operation) => contentOf("application/json", answer, "output");

/** `event` is the schema of one line, or of one event's data; without it the stream is a file. */
function streamOf({ accept, event, mediaTypes }: StreamForm): Json {
  return event
    ? contentOf(accept, event, "output")
    : Object.fromEntries(mediaTypes.map((type) => [type, { schema: {} }]));
}

function parametersOf(operation: V1Operation, names: HeaderNames): Json[] {
  const text = { type: "string" };
  const parameters: Json[] = [];
  for (const [, name] of operation.path.matchAll(/:([A-Za-z]+)/g)) {
    parameters.push({ name, in: "path", required: true, schema: schemaOf(Id, "input") });
  }
  if (operation.auth !== "none") {
    const description = "The application's public key; where it is sent it must be the workspace's.";
    parameters.push({ name: names.publicKeyHeader, in: "header", schema: text, description });
  }
  for (const header of operation.headers ?? []) {
    if (header === "publicKey") continue;
    parameters.push(
      header === "handoffSecret"
        ? handoffSecretOf(names)
        : { name: header, in: "header", schema: { ...text, ...HEADER_LIMITS[header] } },
    );
  }
  for (const [name, range] of Object.entries(operation.query ?? {})) {
    const type = "maxLength" in range ? "string" : "integer";
    parameters.push({ name, in: "query", schema: { type, ...range } });
  }
  return parameters;
}

const HEADER_LIMITS: Readonly<Record<Exclude<OperationHeader, "publicKey" | "handoffSecret">, Json>> = {
  "Idempotency-Key": { pattern: IDEMPOTENCY_KEY.source },
  "Last-Event-ID": { pattern: POSITION.source },
  "X-File-Name": { maxLength: MAX_NAME_BYTES },
};

function handoffSecretOf({ handoffSecrets, handoffSecretHeader: name }: HeaderNames): Json {
  const required = handoffSecrets.length > 0;
  const description = required
    ? "The server-to-server secret."
    : "A server-to-server secret; none is configured here.";
  return { name, in: "header", required, schema: { type: "string" }, description };
}

function contentOf(type: string, schema: z.ZodMiniType, io: "input" | "output"): Json {
  return { [type]: { schema: schemaOf(schema, io) } };
}

/** Made once in a process: this is nearly all of a document's cost. */
const SCHEMAS = { input: new WeakMap<z.ZodMiniType, Json>(), output: new WeakMap<z.ZodMiniType, Json>() };

function schemaOf(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const known = SCHEMAS[io].get(schema);
  if (known) return known;
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  SCHEMAS[io].set(schema, json);
  return json;
}
