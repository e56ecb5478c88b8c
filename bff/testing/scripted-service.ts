import { createHash } from "node:crypto";
import type { V1Operation } from "../../shared/operation.ts";
import { V1_OPERATIONS, type V1Id } from "../../shared/v1/contract.ts";
import type { FetchApp } from "../upstream/fetch-transport.ts";

/** A request as the service saw it. */
export interface Seen {
  readonly operation: V1Id;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the body; undefined where it is empty, or a file. */
  readonly body: unknown;
  readonly bytes: Uint8Array;
}

export type Script = (seen: Seen) => Response | Promise<Response>;

export interface ScriptedService extends FetchApp {
  /** Every request so far, in order. */
  readonly seen: Seen[];
  /** Answers one operation by `script` from now on. */
  answer(operation: V1Id, script: Script): void;
  calls(operation: V1Id): readonly Seen[];
}

export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** A service that answers each operation rightly and keeps nothing, until a test tells it otherwise. */
export function createScriptedService(): ScriptedService {
  const seen: Seen[] = [];
  const scripts = new Map<V1Id, Script>(Object.entries(rightAnswers()) as [V1Id, Script][]);
  return {
    seen,
    answer: (operation, script) => void scripts.set(operation, script),
    calls: (operation) => seen.filter((call) => call.operation === operation),
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const operation = operationOf(request.method, pathname);
      if (!operation) throw new Error(`not in the contract: ${request.method} ${pathname}`);
      const bytes = new Uint8Array(await request.arrayBuffer());
      const isJson = request.headers.get("content-type") === "application/json";
      const call: Seen = {
        operation,
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : undefined,
        bytes,
      };
      seen.push(call);
      const script = scripts.get(operation);
      return script ? script(call) : new Response(null, { status: 404 });
    },
  };
}

function operationOf(method: string, pathname: string): V1Id | undefined {
  const found = (V1_OPERATIONS as readonly (V1Operation & { readonly id: V1Id })[]).find((operation) => {
    const pattern = new RegExp(`^${operation.path.replaceAll(/:[a-zA-Z]+/g, "[^/]+")}$`);
    return operation.method === method && pattern.test(pathname);
  });
  return found?.id;
}

const AT = "2026-11-21T12:00:00.000Z";

function rightAnswers(): Record<V1Id, Script> {
  const id = (call: Seen) => call.path.split("/")[4]?.split("?")[0] ?? "";
  const field = (call: Seen, name: string) => (call.body as Record<string, unknown>)[name];
  return {
    identify: (call) => json({ customer: { externalId: field(call, "externalId") } }),
    sessions: () => json({ token: "service-token-1", expiresIn: 900 }, 201),
    providerSelection: () => json({ provider: "combined", ttlSeconds: 60 }),
    supportSelection: () =>
      json({
        channel: "web",
        agentProvider: "knowledge",
        humanHandoffAdapter: "desk",
        reason: "default",
        ttlSeconds: 300,
      }),
    conversations: () => json({ conversation: { id: "conv-1", status: "open", startedAt: AT } }, 201),
    handoffs: (call) =>
      json(
        { handoff: { id: "hand-1", conversationId: field(call, "conversationId"), status: "requested" } },
        201,
      ),
    endConversation: (call) => json({ conversation: { id: id(call), status: "ended" } }),
    capabilities: () =>
      json({ capabilities: ["turns", "events", "messages", "idempotency", "link", "telepathy"] }),
    turns: (call) =>
      json(
        {
          message: {
            id: `msg-${String(field(call, "clientMessageId"))}`,
            seq: 2,
            clientMessageId: field(call, "clientMessageId"),
            internalNote: "never shown",
          },
        },
        201,
      ),
    messages: (call) =>
      json({ conversation: { id: id(call), status: "open" }, messages: [], lastSeq: 2, epoch: "epoch-1" }),
    actionApprovals: (call) =>
      json({ action: { id: field(call, "actionId"), approved: field(call, "approved") } }),
    attachments: (call) =>
      json(
        {
          attachment: {
            id: "att-1",
            conversationId: id(call),
            name: "photo.png",
            type: "image/png",
            size: call.bytes.byteLength,
          },
          received: {
            size: call.bytes.byteLength,
            sha256: createHash("sha256").update(call.bytes).digest("hex"),
          },
        },
        201,
      ),
    attachmentContent: () => new Response("bytes", { headers: { "content-type": "image/png" } }),
    ratings: (call) =>
      json({
        rating: { conversationId: id(call), score: field(call, "score"), comment: field(call, "comment") },
      }),
    reads: (call) => json({ read: { conversationId: id(call), seq: field(call, "seq") } }),
    typing: (call) => json({ typing: { conversationId: id(call) } }),
    eraseConversation: (call) => json({ erased: { conversationId: id(call) } }),
    link: (call) => json({ conversation: { id: id(call), externalId: field(call, "linkedTo") } }),
    events: () =>
      new Response(new ReadableStream({ start: () => undefined }), {
        headers: { "content-type": "text/event-stream" },
      }),
  };
}
