import type { IncomingHttpHeaders } from "node:http";
import type { FakeService } from "../../service/testing/fake/fake-service.ts";
import type { Operation } from "../../service/testing/fake/kinds.ts";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import type { Auth } from "../../shared/operation.ts";
import type { Endpoint } from "./endpoint.ts";

/** The ids and tokens that the service has given out. */
type Issued = Pick<FakeService, "tokens" | "ended" | "conversations">;

/** The mock's facts about its caller: the same as in the BFF's configuration. */
export interface Credentials {
  readonly credential: string;
  readonly publicKey: string;
  readonly publicKeyHeader: string;
  readonly handoffSecret: string;
  readonly handoffSecretHeader: string;
  /** Endpoints whose scheme differs from the contract's default. */
  readonly auth: Partial<Record<Endpoint, Auth>>;
}

/** A request as it came, with its body read. */
export interface Incoming {
  readonly operation: Operation;
  readonly headers: IncomingHttpHeaders;
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  /** For a file: the id in the path after the conversation's. */
  readonly fileId?: string | undefined;
  readonly text: string;
  /** The body as it arrived. */
  readonly bytes: Uint8Array;
}

export interface Checked {
  /** The client's mistakes, one sentence each. */
  readonly problems: readonly string[];
  /** The status of the refusal, if there is one. An expired token gets 401 without counting as a mistake. */
  readonly refusal: number | undefined;
  readonly externalId: string;
  readonly body: Record<string, unknown>;
}

/** The only headers that a client of the service has reason to send, without any browser headers. */
const KNOWN_HEADERS = new Set([
  "host",
  "connection",
  "keep-alive",
  "content-type",
  "content-length",
  "transfer-encoding",
  "accept",
  "accept-encoding",
  "authorization",
  "user-agent",
  "idempotency-key",
  "last-event-id",
  "cache-control",
  "x-request-id",
  FILE_NAME_HEADER,
]);

/** The endpoints that need the application's public key (contract, endpoints 2 to 4). */
const WITH_PUBLIC_KEY: readonly Endpoint[] = ["sessions", "providerSelection", "supportSelection"];

/** Checks one request strictly against the contract. */
export function checkRequest(given: Credentials, state: Issued, incoming: Incoming): Checked {
  const problems: string[] = [];
  const { id: endpoint } = incoming.operation;
  const told = (problem: string) => problems.push(`${endpoint}: ${problem}`);

  for (const name of Object.keys(incoming.headers)) {
    if (!KNOWN_HEADERS.has(name) && name !== given.publicKeyHeader && name !== given.handoffSecretHeader)
      told(`the header ${name} was passed on`);
  }
  const bearer = /^Bearer (\S+)$/.exec(incoming.headers.authorization ?? "")?.[1];
  const auth = checkAuth(given, state, incoming, bearer, told);
  checkKeys(given, endpoint, incoming.headers, told);
  checkAccept(endpoint, incoming.headers.accept, told);
  for (const key of incoming.query.keys()) {
    if (!Object.hasOwn(queryOf(incoming.operation), key)) told(`an unknown query parameter ${key}`);
  }
  const body = checkBody(incoming, told);
  const externalId = (bearer === undefined ? undefined : state.tokens.get(bearer)) ?? "";
  checkIds(state, incoming, body, externalId, auth, told);
  const refusal = auth ?? (problems.length > 0 ? 400 : undefined);
  return { problems, refusal, externalId, body };
}

/** The query parameters that the operation's record names. */
const queryOf = (operation: Operation): object => ("query" in operation ? operation.query : {});

type Tell = (problem: string) => void;

/** Returns 401 if the credentials are missing or wrong. */
function checkAuth(
  given: Credentials,
  state: Issued,
  { operation, headers }: Incoming,
  bearer: string | undefined,
  told: Tell,
): number | undefined {
  const scheme = given.auth[operation.id] ?? operation.auth;
  if (scheme === "none") {
    if (headers.authorization !== undefined) told("sent an Authorization header to an open endpoint");
    return undefined;
  }
  if (scheme === "application") {
    if (bearer === given.credential) return undefined;
    told("did not send the application credential");
    return 401;
  }
  // Capabilities may be probed without credentials; the answer is only a 401.
  if (bearer === undefined && operation.id === "capabilities") return 401;
  if (bearer === undefined) told("sent no session token");
  else if (bearer === given.credential) told("sent the application credential in place of the session token");
  else if (state.tokens.has(bearer)) return undefined;
  else if (!state.ended.has(bearer)) told("sent a token that was never issued");
  return 401;
}

function checkKeys(given: Credentials, endpoint: Endpoint, headers: IncomingHttpHeaders, told: Tell): void {
  const publicKey = headers[given.publicKeyHeader];
  if (WITH_PUBLIC_KEY.includes(endpoint) && publicKey !== given.publicKey)
    told("did not send the application's public key");
  if (publicKey !== undefined && publicKey !== given.publicKey) told("sent another public key");
  const secret = headers[given.handoffSecretHeader];
  if (endpoint === "handoffs" && secret !== given.handoffSecret) told("did not send the hand-off secret");
  if (endpoint !== "handoffs" && secret !== undefined)
    told("sent the hand-off secret where it has no business");
}

function checkAccept(endpoint: Endpoint, accept: string | undefined, told: Tell): void {
  const wanted = endpoint === "events" ? ["text/event-stream"] : ["application/json"];
  if (endpoint === "attachmentContent") wanted.push("*/*");
  if (endpoint === "turns") wanted.push("application/x-ndjson");
  if (accept === undefined ? endpoint === "events" : !wanted.some((type) => accept.includes(type)))
    told(`asked for ${accept ?? "nothing"} by Accept`);
}

/** The body as its operation describes it, without extra keys. */
function checkBody({ operation, headers, text, bytes }: Incoming, told: Tell): Record<string, unknown> {
  if ("upload" in operation) {
    if (headers["content-type"] !== "application/octet-stream") told("sent a file as something else");
    if (headers["idempotency-key"] === undefined) told("sent a file without a key");
    if (bytes.length === 0) told("sent a file of no bytes");
    return {};
  }
  if (headers[FILE_NAME_HEADER] !== undefined) told("named a file where there is none");
  if (!("request" in operation)) {
    if (text !== "") told("sent a body where there is none");
    return {};
  }
  if (!/^application\/json(;\s*charset=utf-8)?$/i.test(headers["content-type"] ?? ""))
    told(`sent the media type ${headers["content-type"] ?? "of nothing"}`);
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    told("sent a body that is not JSON");
    return {};
  }
  const parsed = operation.request.safeParse(sent);
  if (!parsed.success) {
    told(`sent a body of the wrong shape: ${parsed.error.issues.map((i) => i.path.join(".")).join(", ")}`);
    return {};
  }
  for (const key of unknownKeys(sent, parsed.data)) told(`sent the unknown key ${key}`);
  return parsed.data;
}

/** Keys of `sent` that the schema dropped, with their path. */
function unknownKeys(sent: unknown, kept: unknown, path = ""): string[] {
  if (typeof sent !== "object" || sent === null || typeof kept !== "object" || kept === null) return [];
  return Object.entries(sent).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return Object.hasOwn(kept, key) ? unknownKeys(value, Reflect.get(kept, key), at) : [at];
  });
}

/** Only ids that the service issued, and to this customer. */
function checkIds(
  state: Issued,
  { operation, id, headers }: Incoming,
  body: Record<string, unknown>,
  externalId: string,
  auth: number | undefined,
  told: Tell,
): void {
  const named = id ?? body["conversationId"];
  if (typeof named === "string" && auth === undefined) {
    const conversation = state.conversations.get(named);
    if (!conversation) told("named a conversation that was never issued");
    else if (externalId !== "" && conversation.externalId !== externalId)
      told("named another customer's conversation");
  }
  if ("userID" in body && externalId !== "" && body["userID"] !== externalId)
    told("selected for another customer than the session's");
  const last = headers["last-event-id"];
  if (operation.id === "events" && last !== undefined && !/^\d{1,15}$/.test(String(last)))
    told("sent a Last-Event-ID that is no seq");
}
