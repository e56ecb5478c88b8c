import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { FakeService } from "../../service/testing/fake/fake-service.ts";
import { isOffered, type Kind, matchOperation } from "../../service/testing/fake/kinds.ts";
import type { Armed, ArmedFaults } from "./armed-faults.ts";
import { type Endpoint, isProbe } from "./endpoint.ts";
import { FAULTS } from "./faults.ts";
import type { Healthy } from "./mangle.ts";
import { type Credentials, checkRequest } from "./strict.ts";

export interface RecordedRequest {
  readonly endpoint: Endpoint | undefined;
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON of the body; the text where it is not JSON. */
  readonly body: unknown;
}

/** The parts of one upstream. */
export interface Inside {
  readonly kind: Kind;
  readonly given: Credentials;
  readonly service: FakeService;
  /** Streams that are open. */
  readonly streams: Set<ServerResponse>;
  readonly requests: RecordedRequest[];
  readonly violations: string[];
  /** Set as soon as the address exists. */
  faults: Pick<ArmedFaults, "take" | "breakAfter">;
  readonly canaryUrl: string;
  readonly slowMs: number;
}

/** A file, and a little more than its limit. */
const MAX_REQUEST_BYTES = 11 * 1024 * 1024;

/** Records one request, checks it strictly, and lets the service or the armed fault answer it. */
export async function serve(
  inside: Inside,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const bytes = await readBytes(request);
  const { pathname, searchParams: query } = new URL(url, "http://upstream");
  const found = matchOperation(method, pathname);
  const endpoint = found?.operation.id;
  const text = found && "upload" in found.operation ? "" : bytes.toString("utf8");
  inside.requests.push({ endpoint, method, path: url, headers: request.headers, body: asJson(text) });
  if (!found || endpoint === undefined) {
    inside.violations.push(`called ${method} ${pathname}, which no service has`);
    return send(response, 404, { message: "no such address" });
  }
  // The connection must not be reused: the client's next call has to meet the broken address.
  if (inside.faults.breakAfter(endpoint)) response.setHeader("connection", "close");
  if (!isOffered(inside.kind, endpoint)) {
    if (!isProbe(endpoint))
      inside.violations.push(`${endpoint}: called, but this service has no such endpoint`);
    return send(response, 404, { message: "no such address" });
  }
  const incoming = { ...found, headers: request.headers, query, text, bytes };
  const { problems, refusal } = checkRequest(inside.given, inside.service, incoming);
  inside.violations.push(...problems);
  const forwarded = () => asRequest(request, bytes);
  const armed = inside.faults.take(endpoint);
  if (armed) return spoil(inside, armed, { request, response, endpoint, refusal, forwarded });
  if (refusal !== undefined) return send(response, refusal, { message: "refused" });
  return relay(inside, await inside.service.fetch(forwarded()), response);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: Endpoint;
  /** The status with which the request is refused, where it is wrong. */
  readonly refusal: number | undefined;
  readonly forwarded: () => Request;
}

/** Produces the fault, after the request took effect or instead of it. */
async function spoil(
  { service, canaryUrl, slowMs }: Inside,
  { fault: name, options }: Armed,
  { request, response, endpoint, refusal, forwarded }: Exchange,
): Promise<void> {
  const fault = FAULTS[name];
  const isDone = refusal === undefined && endpoint !== "events" && (options.done ?? fault.done);
  const done = isDone ? await healthyOf(await service.fetch(forwarded())) : undefined;
  const healthy = async (): Promise<Healthy> => {
    if (done) return done;
    if (endpoint === "events") return { status: 200, type: "text/event-stream", text: ": \n\n", body: {} };
    if (refusal !== undefined) return refused(refusal);
    return healthyOf(await service.rehearse(forwarded()));
  };
  const { socket } = request;
  await fault.play?.({ endpoint, response, socket, healthy, canaryUrl, slowMs });
}

function refused(status: number): Healthy {
  const body = { message: "refused" };
  return { status, type: "application/json", text: JSON.stringify(body), body };
}

/** A whole answer, the text of a stream to its end. */
async function healthyOf(answer: Response): Promise<Healthy> {
  const text = await answer.text();
  const type = answer.headers.get("content-type") ?? "application/json";
  return { status: answer.status, type, text, body: asJson(text) };
}

function asRequest({ method = "GET", url = "/", headers }: IncomingMessage, bytes: Buffer): Request {
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return new Request(new URL(url, "http://upstream"), {
    method,
    headers: known.filter(([name]) => name !== "connection" && name !== "transfer-encoding"),
    ...(bytes.length === 0 ? {} : { body: Uint8Array.from(bytes) }),
  });
}

/** Passes an answer on as it comes. An answer that breaks off resets the connection. */
async function relay({ streams }: Inside, answer: Response, response: ServerResponse): Promise<void> {
  const type = answer.headers.get("content-type") ?? "";
  const reader = answer.body?.getReader();
  const isStream = /event-stream|ndjson/.test(type);
  response.once("close", () => {
    streams.delete(response);
    void reader?.cancel().catch(() => undefined);
  });
  if (isStream) streams.add(response);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (isStream) response.flushHeaders();
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      response.write(next.value);
    response.end();
  } catch {
    // A script cuts this stream on purpose.
    setImmediate(() => response.destroy());
  }
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
