import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { type Call, type Planned, planAnswer } from "./answers.ts";
import type { Armed, ArmedFaults } from "./armed-faults.ts";
import { type Endpoint, isOffered, isProbe, type Kind, matchOperation } from "./endpoint.ts";
import { FAULTS } from "./faults.ts";
import type { Healthy } from "./mangle.ts";
import type { StoredConversation, UpstreamState } from "./state.ts";
import type { OpenStreams } from "./streams.ts";
import { type Checked, type Credentials, checkRequest, type Incoming } from "./strict.ts";

export interface RecordedRequest {
  readonly endpoint: Endpoint | undefined;
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON of the body; the text where it is none. */
  readonly body: unknown;
}

/** What one mock is made of. */
export interface Inside {
  readonly kind: Kind;
  readonly given: Credentials;
  readonly state: UpstreamState;
  readonly streams: OpenStreams;
  readonly requests: RecordedRequest[];
  readonly violations: string[];
  /** Set as soon as the address is there to be broken. */
  faults: Pick<ArmedFaults, "take" | "breakAfter">;
  readonly canaryUrl: string;
  readonly slowMs: number;
}

/** A file, and a little more than it may have. */
const MAX_REQUEST_BYTES = 11 * 1024 * 1024;

/** Records one request, checks it to the letter, and answers it well or as the armed fault wants. */
export async function serve(
  inside: Inside,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const bytes = await readBytes(request);
  const { pathname, searchParams: query } = new URL(url, "http://mock");
  const found = matchOperation(method, pathname);
  const endpoint = found?.operation.id;
  const text = found && "upload" in found.operation ? "" : bytes.toString("utf8");
  inside.requests.push({ endpoint, method, path: url, headers: request.headers, body: asJson(text) });
  if (!found || endpoint === undefined) {
    inside.violations.push(`called ${method} ${pathname}, which no service has`);
    return send(response, 404, { message: "no such address" });
  }
  // The connection must not be used again: what the client does next has to meet the broken address.
  if (inside.faults.breakAfter(endpoint)) response.setHeader("connection", "close");
  if (!isOffered(inside.kind, endpoint)) {
    if (!isProbe(endpoint))
      inside.violations.push(`${endpoint}: called, but this service has no such endpoint`);
    return send(response, 404, { message: "no such address" });
  }
  const { operation, id, fileId } = found;
  const incoming = { operation, id, fileId, headers: request.headers, query, text, bytes };
  const checked = checkRequest(inside.given, inside.state, incoming);
  inside.violations.push(...checked.problems);
  const armed = inside.faults.take(endpoint);
  const conversation = conversationOf(inside, incoming, checked);
  const plan = planAnswer(inside.kind, inside.state, callOf(incoming, checked, conversation));
  if (armed) return spoil(inside, armed, { request, response, endpoint, plan, checked });
  if (checked.refusal !== undefined) return send(response, checked.refusal, { message: "refused" });
  plan.commit();
  if (endpoint === "events" && conversation) inside.streams.follow(request, response, conversation);
  else if (plan.script) inside.streams.play(response, plan.script);
  else if (plan.file) {
    response.writeHead(plan.status, { "content-type": plan.file.type });
    response.end(plan.file.bytes);
  } else send(response, plan.status, plan.body);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: Endpoint;
  readonly plan: Planned;
  readonly checked: Checked;
}

/** Does the fault, after the deed or in its place. */
async function spoil(
  { canaryUrl, slowMs }: Inside,
  { fault: name, options }: Armed,
  { request, response, endpoint, plan, checked }: Exchange,
): Promise<void> {
  const fault = FAULTS[name];
  if (checked.refusal === undefined && (options.done ?? fault.done)) plan.commit();
  const { socket } = request;
  await fault.play?.({ endpoint, response, socket, healthy: healthyOf(plan), canaryUrl, slowMs });
}

/** The conversation that the request names, if it is the customer's own. */
function conversationOf(
  { state }: Inside,
  { id }: Incoming,
  { body, externalId }: Checked,
): StoredConversation | undefined {
  const conversation = state.conversations.get(id ?? String(body["conversationId"]));
  return conversation?.externalId === externalId ? conversation : undefined;
}

function callOf(
  incoming: Incoming,
  { externalId, body }: Checked,
  conversation: StoredConversation | undefined,
): Call {
  return {
    endpoint: incoming.operation.id,
    externalId,
    conversation,
    body,
    idempotencyKey: headerOf(incoming, "idempotency-key"),
    accept: headerOf(incoming, "accept") ?? "application/json",
    after: Number(incoming.query.get("after") ?? 0),
    bytes: incoming.bytes,
    fileName: headerOf(incoming, FILE_NAME_HEADER) ?? "",
    fileId: incoming.fileId,
  };
}

function headerOf({ headers }: Incoming, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** What a fault spoils: the JSON of the answer, or the whole text of a stream. */
function healthyOf({ status, body, script }: Planned): Healthy {
  if (!script) return { status, type: "application/json", text: JSON.stringify(body ?? {}), body };
  const text = script.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return { status, type: "application/x-ndjson", text, body };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
  });
  response.end(text);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request) {
    if (!(piece instanceof Uint8Array)) continue;
    bytes += piece.byteLength;
    if (bytes > MAX_REQUEST_BYTES) throw new Error("a request over 11 MB");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the recorded text shows what it was.
    return text;
  }
}
