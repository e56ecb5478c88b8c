import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname } from "node:path";
import type { LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";

const DIST = new URL("../../dist/", import.meta.url);
const EPOCH = "e1";
const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css" };

/** The built panel and loader with a BFF that answers only what the test specifies. */
export interface PanelStage {
  /** A page of a site with the chat; `settings` are its `parleySettings`. */
  readonly page: (settings?: Readonly<Record<string, string>>) => string;
  /** The panel as a page of its own. */
  readonly frame: string;
  /** The log from now on, as a returning visitor finds it. Empty: there is no conversation yet. */
  readonly set: (messages: readonly Message[]) => void;
  /** Adds to the log, and notifies every open stream. */
  readonly say: (message: Partial<Message> & Pick<Message, "role" | "body">) => Message;
  /** The current state, also sent to clients that join later, as the BFF does for an answer in progress. */
  readonly signal: (event: LiveEvent | LoggedEvent) => void;
  /** How far the customer has read, as reported to the service. */
  readonly readUpTo: () => number | undefined;
  readonly close: () => Promise<void>;
}

/** Serves the output of `npm run build`, on a free port. */
export async function startPanelStage(): Promise<PanelStage> {
  let messages: Message[] = [];
  const streams = new Set<ServerResponse>();
  let signalled: LoggedEvent | LiveEvent | undefined;
  const write = (stream: ServerResponse, event: LoggedEvent | LiveEvent) => {
    const id = "seq" in event ? `id: ${EPOCH}:${event.seq}\n` : "";
    stream.write(`${id}data: ${JSON.stringify(event)}\n\n`);
  };
  const send = (event: LoggedEvent | LiveEvent) => {
    for (const stream of streams) write(stream, event);
  };
  /** The BFF's events for a client that opens its stream late: the log after its position, and the current state. */
  const catchUp = (stream: ServerResponse, lastEventId: string | undefined) => {
    const after = Number(lastEventId?.slice(`${EPOCH}:`.length) ?? 0);
    for (const message of messages) {
      const { seq, at } = message;
      if (seq > after) write(stream, { type: "message.created", seq, at, message });
    }
    if (signalled) write(stream, signalled);
  };
  const add = (given: Partial<Message> & Pick<Message, "role" | "body">): Message => {
    const seq = (messages.at(-1)?.seq ?? 1) + 1;
    const message: Message = { id: `m${seq}`, at: new Date().toISOString(), ...given, seq };
    messages = [...messages, message];
    if (signalled?.type === "response.snapshot" && signalled.messageId === message.id) signalled = undefined;
    send({ type: "message.created", seq, at: message.at, message });
    return message;
  };
  let customer: number | undefined;
  const conversation = () => ({
    id: "c1",
    status: "open" as const,
    epoch: EPOCH,
    ...(customer ? { read: { customer } } : {}),
  });
  const accept = async (request: IncomingMessage) => {
    const { clientMessageId, body } = JSON.parse(await textOf(request)) as Record<string, string>;
    return add({ role: "customer", body: body ?? "", clientMessageId: clientMessageId ?? "" });
  };
  const answers: Readonly<Record<string, (request: IncomingMessage) => unknown>> = {
    "GET /api/config": () => ({ version: "0", siteId: "parley", identityPolicy: "optional" }),
    "POST /api/session": () => ({
      token: "t".repeat(43),
      expiresAt: "2099-01-01T00:00:00.000Z",
      customer: { externalId: "anon_1", identified: false },
      route: { channel: "web", agentProvider: "knowledge" },
      capabilities: ["turns", "events", "messages", "typing", "read"],
      conversation:
        messages.length > 0 ? { ...conversation(), lastSeq: messages.at(-1)?.seq ?? 0, messages } : null,
    }),
    "POST /api/conversation": async (request) => {
      const message = await accept(request);
      return { conversation: conversation(), message };
    },
    "POST /api/conversation/messages": async (request) => ({ message: await accept(request) }),
    "POST /api/conversation/read": async (request) => {
      const { seq } = JSON.parse(await textOf(request)) as { seq: number };
      customer = seq;
      return { read: { seq } };
    },
    "DELETE /api/conversation": () => ({ conversation: { id: "c1", status: "ended" } }),
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://any");
    const path = `${request.method} ${url.pathname}`;
    const answer = answers[path];
    if (path === "GET /api/conversation/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
      streams.add(response);
      catchUp(response, request.headers["last-event-id"]?.toString());
      request.on("close", () => streams.delete(response));
    } else if (answer) {
      Promise.resolve(answer(request)).then(
        (body) => {
          const status = request.method === "POST" ? 201 : 200;
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        },
        // A page may leave in the middle of its request.
        () => response.destroy(),
      );
    } else serveFile(url, port, response);
  });
  const { port, close } = await listenOnFreePort(server);
  return {
    page: (settings = {}) =>
      `http://localhost:${port}/?settings=${encodeURIComponent(JSON.stringify(settings))}`,
    frame: `http://127.0.0.1:${port}/frame`,
    set: (all) => {
      messages = [...all];
      customer = undefined;
      signalled = undefined;
    },
    say: add,
    signal: (event) => {
      signalled = event.type === "response.delta" ? soFar(event, signalled) : event;
      send(event);
    },
    readUpTo: () => customer,
    close,
  };
}

/** The answer in progress with its next piece. */
function soFar(
  { messageId, delta }: Extract<LiveEvent, { type: "response.delta" }>,
  before: LiveEvent | LoggedEvent | undefined,
): LiveEvent {
  const isSame = before?.type === "response.snapshot" && before.messageId === messageId;
  return { type: "response.snapshot", messageId, text: (isSame ? before.text : "") + delta };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}

function serveFile(url: URL, port: number, response: ServerResponse): void {
  const { pathname } = url;
  const html = (text: string) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
  if (pathname === "/") {
    const settings = (url.searchParams.get("settings") ?? "{}").replaceAll("<", "\\u003c");
    html(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
      <title>A site</title><main><h1>A site</h1></main>
      <script>window.parleySettings = ${settings}</script>
      <script async src="http://127.0.0.1:${port}/widget.js"></script></html>`,
    );
  } else if (pathname === "/frame") {
    const origins = `name="parley-origins" content="http://localhost:${port}"`;
    html(read("widget/frame.html").toString().replace('name="parley-origins" content=""', origins));
  } else {
    try {
      const file = read(pathname === "/widget.js" ? "loader/widget.js" : `widget${pathname}`);
      response.writeHead(200, {
        "content-type": TYPES[extname(pathname)] ?? "application/json",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
      });
      response.end(file);
    } catch {
      response.writeHead(404).end("nothing here");
    }
  }
}

function read(path: string): Buffer {
  return readFileSync(new URL(path, DIST));
}
