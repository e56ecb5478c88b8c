import type { DurableEvent } from "../../../shared/event.ts";
import type { Auth } from "../../../shared/operation.ts";
import type { V1Id } from "../../../shared/v1/contract.ts";
import { counted } from "./in-flight.ts";
import { isOffered, type Kind, matchOperation } from "./kinds.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { openWorkspace, type RealWorkspace } from "./real-service.ts";

/** A request as the service saw it. */
export interface Seen {
  readonly operation: V1Id;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the body; undefined where it is empty, or a file. */
  readonly body: unknown;
  readonly bytes: Uint8Array;
}

/** Answers one request. `real` passes it to the real service. */
export type Script = (seen: Seen, real: () => Promise<Response>) => Response | Promise<Response>;

export interface FakeOptions {
  readonly kind?: Kind;
  /** `assistant` answers each question; `knowledge` never answers. */
  readonly agent?: "assistant" | "knowledge";
  readonly credential?: string;
  /** Names of headers that are configuration, so that the real service does not get them. */
  readonly ownHeaders?: readonly string[];
  /** Operations whose authentication differs from the contract's. */
  readonly schemes?: Partial<Record<V1Id, Auth>>;
}

/** The real service, with a layer in front that records, hides and spoils. */
export interface FakeService extends Omit<Ledger, "take" | "observe"> {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Every request so far, in order. */
  readonly seen: Seen[];
  readonly calls: (operation: V1Id) => readonly Seen[];
  /** Answers one operation by `script` from now on. */
  readonly answer: (operation: V1Id, script: Script) => void;
  /** The real service answers the operation again. */
  readonly mend: (operation: V1Id) => void;
  /** The real service's answer, without the effect of the request. */
  readonly rehearse: (request: Request) => Promise<Response>;
  /** An operator erases the customer. */
  readonly eraseCustomer: (externalId: string) => Promise<void>;
  /** Ends every session token so far. */
  readonly endTokens: () => void;
  /** The log of a conversation; empty when it is unknown. */
  readonly logOf: (conversationId: string) => readonly DurableEvent[];
  /** A person of the team takes the conversation. */
  readonly acceptHandoff: (conversationId: string, name: string) => Promise<void>;
  /** The person who took it ends the conversation, and opens it again. */
  readonly resolve: (conversationId: string, name: string) => Promise<void>;
  readonly reopenAsHuman: (conversationId: string, name: string) => Promise<void>;
  /** The person who took it writes. */
  readonly say: (conversationId: string, name: string, body: string) => Promise<void>;
}

/** An answer in JSON. */
export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** The real service's answer with another body. */
export async function changed<Body>(real: () => Promise<Response>, change: (body: Body) => unknown) {
  const answer = await real();
  return json(change((await answer.json()) as Body), answer.status);
}

const NO_ADDRESS = { message: "no such address" };
/** The customer of a call that names none, where the service asks for the application's credential. */
const NOBODY = "nobody";

/** Makes a fake of its own workspace. The real service opens with the first call. */
export function createFakeService(options: FakeOptions = {}): FakeService {
  const { kind = "full", agent = "knowledge" } = options;
  const ledger = createLedger();
  const scripts = new Map<V1Id, Script>();
  const seen: Seen[] = [];
  let opening: Promise<RealWorkspace> | undefined;
  const open = () => {
    opening ??= openWorkspace(agent).then((workspace) => {
      workspace.hub.subscribeWorkspace(workspace.id, ledger.take);
      return workspace;
    });
    return opening;
  };

  async function forward(call: Seen, rehearsed = false): Promise<Response> {
    const workspace = await open();
    // The one operation of the contract that our own service does not have.
    if (call.operation === "actionApprovals") {
      const { actionId, approved } = bodyOf(call);
      return json({ action: { id: actionId, approved } });
    }
    const found = matchOperation(call.method, pathnameOf(call));
    const id = found?.id;
    if (kind !== "full" && ledger.conversations.get(id ?? "")?.isEnded)
      return json({ message: "refused" }, 404);
    const headers = await translate({ options, kind, ledger, workspace }, call);
    if (!headers) return json({ message: "refused" }, 401);
    const request = new Request(`http://service.internal${call.path}`, {
      method: call.method,
      headers,
      ...(call.bytes.byteLength === 0 ? {} : { body: Uint8Array.from(call.bytes) }),
    });
    if (rehearsed) return workspace.rehearse(request);
    const answer = await workspace.fetch(request);
    // Smaller services refuse in words that nobody promised.
    if (!answer.ok) return kind === "full" ? answer : json({ message: "refused" }, answer.status);
    if (!answer.headers.get("content-type")?.startsWith("application/json")) return answer;
    const body: unknown = await answer.clone().json();
    const bearer = bearerOf(new Map(Object.entries(call.headers)).get("authorization"));
    const externalId = ledger.tokens.get(bearer ?? "") ?? namedCustomer(call);
    ledger.observe({ operation: call.operation, id, externalId, body: bodyOf(call) }, body);
    if (call.operation === "capabilities" && kind === "turns") return json({ capabilities: ["turns"] });
    return answer;
  }

  return {
    ...ledger,
    seen,
    calls: (operation) => seen.filter((call) => call.operation === operation),
    answer: (operation, script) => void scripts.set(operation, script),
    mend: (operation) => void scripts.delete(operation),
    async fetch(request) {
      const call = await readCall(request);
      seen.push(call);
      const script = scripts.get(call.operation);
      if (script) return script(call, () => counted(forward(call)));
      if (!isOffered(kind, call.operation)) return json(NO_ADDRESS, 404);
      return counted(forward(call));
    },
    rehearse: async (request) => forward(await readCall(request), true),
    endTokens() {
      for (const token of ledger.tokens.keys()) ledger.ended.add(token);
      ledger.tokens.clear();
    },
    async eraseCustomer(externalId) {
      const { id, store } = await open();
      await store.erasure.eraseCustomer(id, externalId);
    },
    logOf: (id) => ledger.conversations.get(id)?.events ?? [],
    async acceptHandoff(conversationId, name) {
      const { id, store } = await open();
      await store.desk.acceptHandoff({ workspaceId: id, conversationId }, personOf(name));
    },
    async resolve(conversationId, name) {
      const { id, store } = await open();
      await store.desk.resolveConversation({ workspaceId: id, conversationId }, personOf(name));
    },
    async reopenAsHuman(conversationId, name) {
      const { id, store } = await open();
      await store.desk.reopenConversation({ workspaceId: id, conversationId }, personOf(name));
    },
    async say(conversationId, name, body) {
      const { id, store } = await open();
      const reply = { clientMessageId: `reply-${Math.random()}`, body };
      await store.desk.replyAsHuman({ workspaceId: id, conversationId }, personOf(name), reply);
    },
  };
}

const personOf = (name: string) => ({ id: `user_${name}`, name });
const pathnameOf = ({ path }: Seen) => path.split("?", 1)[0] ?? "";
const bearerOf = (authorization: string | undefined) => /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];

function bodyOf({ body }: Seen): Record<string, unknown> {
  return typeof body === "object" && body !== null ? { ...body } : {};
}

function namedCustomer(call: Seen): string {
  const { userID } = bodyOf(call);
  return typeof userID === "string" ? userID : NOBODY;
}

async function readCall(request: Request): Promise<Seen> {
  const { pathname, search } = new URL(request.url);
  const operation = matchOperation(request.method, pathname)?.operation.id;
  if (!operation) throw new Error(`not in the contract: ${request.method} ${pathname}`);
  const bytes = new Uint8Array(await request.arrayBuffer());
  const isJson = request.headers.get("content-type")?.startsWith("application/json");
  return {
    operation,
    method: request.method,
    path: pathname + search,
    headers: Object.fromEntries(request.headers),
    body: isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : undefined,
    bytes,
  };
}

/** The headers with the real service's credentials in place of the fake's. Undefined: the token has expired. */
async function translate(
  {
    options,
    kind,
    ledger,
    workspace,
  }: { options: FakeOptions; kind: Kind; ledger: Ledger; workspace: RealWorkspace },
  call: Seen,
): Promise<Headers | undefined> {
  const {
    credential = "sk_credential",
    ownHeaders = ["x-public-key", "x-handoff-secret"],
    schemes = {},
  } = options;
  const operation = matchOperation(call.method, pathnameOf(call))?.operation;
  const headers = new Headers({ ...call.headers });
  for (const name of ["host", "connection", "content-length", "transfer-encoding", ...ownHeaders])
    headers.delete(name);
  if (kind !== "full") headers.delete("idempotency-key");
  const bearer = bearerOf(headers.get("authorization") ?? undefined);
  const scheme = schemes[call.operation] ?? operation?.auth;
  const isProven = scheme === "none" || (scheme === "application" && bearer === credential);
  if (bearer !== undefined && ledger.ended.has(bearer)) return undefined;
  if (!isProven) return headers;
  const proof =
    operation?.auth === "application" ? workspace.credential : await tokenFor(workspace, namedCustomer(call));
  headers.set("authorization", `Bearer ${proof}`);
  return headers;
}

/** A session of the real service that no client has asked for: the application called in the customer's place. */
async function tokenFor({ fetch, credential }: RealWorkspace, externalId: string): Promise<string> {
  const answer = await fetch(
    new Request("http://service.internal/v1/sdk/sessions", {
      method: "POST",
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      body: JSON.stringify({ externalId }),
    }),
  );
  return ((await answer.json()) as { token: string }).token;
}
