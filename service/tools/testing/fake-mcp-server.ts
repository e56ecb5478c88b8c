import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenOnFreePort } from "../../../shared/testing/listen.ts";

export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof REVISIONS)[number];

/** One call of a tool, as it arrived. */
export interface ToolCall {
  readonly id: unknown;
  readonly name: string;
  readonly input: unknown;
  readonly authorization: string | undefined;
  readonly response: ServerResponse;
  /** Answers with this result. */
  answer(result: object): void;
  /** Answers with a JSON-RPC error. */
  refuse(code: number, status?: number): void;
}

const REFUND = {
  name: "refund",
  title: "Refund an order",
  description: "Pays the price of one order back.",
  inputSchema: {
    type: "object",
    properties: {
      order: { type: "string", title: "Order" },
      amount: { type: "number", minimum: 0.01 },
      notify: { type: "boolean" },
      reason: { type: "string" },
    },
    required: ["order", "amount"],
    additionalProperties: false,
  },
};
const FIND = {
  name: "find_order",
  description: "Finds one order.",
  inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
};

const PAGES = 20;

export const done = (words: string) => ({ content: [{ type: "text", text: words }] });

/** A server of tools over real HTTP, of either revision, until `close`. What its tools do is scripted by `onCall`. */
export async function openFakeMcp(revision: Revision = "2026-07-28") {
  const calls: ToolCall[] = [];
  const methods: string[] = [];
  const fake = {
    url: "",
    revision,
    calls,
    /** Every method that was asked for. */
    methods,
    tools: [REFUND, FIND] as readonly object[],
    ttlMs: undefined as number | undefined,
    /** Lists the tools on the first of many pages, each after this time. */
    pageMs: undefined as number | undefined,
    /** Answers every request with this status instead. */
    status: undefined as number | undefined,
    onCall: (call: ToolCall): void => call.answer(done(`${call.name}: done`)),
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
  const sessions = new Set<string>();

  function onMessage(message: Message, request: IncomingMessage, response: ServerResponse): void {
    const { id, method, params } = message;
    methods.push(method);
    const isModern = fake.revision === "2026-07-28";
    const send = (body: object, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
    };
    const complete = (result: object) =>
      send({ result: isModern ? { resultType: "complete", ...result } : result });
    if (isModern ? method === "initialize" : method === "server/discover") {
      response.writeHead(400).end("unknown");
      return;
    }
    if (method === "initialize") {
      const session = `session-${sessions.size + 1}`;
      sessions.add(session);
      response.setHeader("mcp-session-id", session);
      complete({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: SERVER });
    } else if (!isModern && !sessions.has(String(request.headers["mcp-session-id"]))) {
      response.writeHead(404).end();
    } else if (id === undefined) {
      response.writeHead(202).end();
    } else if (method === "server/discover") {
      complete({
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        serverInfo: SERVER,
        ttlMs: 0,
        cacheScope: "private",
      });
    } else if (method === "tools/list") {
      const page = Number(params?.cursor ?? 0);
      const list = {
        tools: page === 0 ? fake.tools : [],
        ...(fake.pageMs === undefined || page === PAGES ? {} : { nextCursor: String(page + 1) }),
        ...(isModern ? { ttlMs: fake.ttlMs ?? 0, cacheScope: "private" } : {}),
      };
      if (fake.pageMs === undefined) complete(list);
      else setTimeout(complete, fake.pageMs, list);
    } else if (method === "tools/call") {
      const call: ToolCall = {
        id,
        name: params?.name ?? "",
        input: params?.arguments,
        authorization: request.headers.authorization,
        response,
        answer: complete,
        refuse: (code, status = 200) => send({ error: { code, message: "canary of the server" } }, status),
      };
      calls.push(call);
      fake.onCall(call);
    } else send({ error: { code: -32601, message: "no" } }, 404);
  }

  const server = createServer((request, response) => {
    if (fake.status !== undefined) response.writeHead(fake.status).end();
    else if (request.method !== "POST") response.writeHead(request.method === "DELETE" ? 200 : 405).end();
    else
      text(request).then(
        (body) => onMessage(JSON.parse(body) as Message, request, response),
        () => response.destroy(),
      );
  });
  fake.url = `${(await listenOnFreePort(server)).url}/mcp`;
  return fake;
}

export type FakeMcp = Awaited<ReturnType<typeof openFakeMcp>>;

const SERVER = { name: "fake", version: "1" };

interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown; readonly cursor?: string };
}
