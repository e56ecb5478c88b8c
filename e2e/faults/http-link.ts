import { once } from "node:events";
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { listenOnFreePort } from "../../shared/testing/listen.ts";

/** The fault of one request. */
export type Deed =
  | { readonly type: "pass" }
  /** Answered instead of the target; with `done` the target processes the request first. */
  | {
      readonly type: "answer";
      readonly done: boolean;
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Derived from the target's answer, if there was one, and from the request. */
      readonly body: (healthy: string, sent: string) => string;
    }
  | { readonly type: "hang"; readonly done: boolean }
  | { readonly type: "reset"; readonly done: boolean }
  /** Sent to the target twice, the first time as changed by `change`; the second answer is returned. */
  | { readonly type: "twice"; readonly change?: (sent: string) => string };

export interface Passing {
  readonly method: string;
  readonly path: string;
}

/** A reverse proxy that understands HTTP: for faults of whole requests rather than bytes. */
export interface HttpLink {
  readonly port: number;
  /** Decides for each request from now on; undefined passes all. */
  readonly decide: (rule: ((passing: Passing) => Deed) | undefined) => void;
  /** How many requests did not simply pass since the last call. */
  readonly takeHits: () => number;
  readonly close: () => Promise<void>;
}

const PASS: Deed = { type: "pass" };

/** @param target the port of 127.0.0.1 that it forwards to */
export async function startHttpLink(target: () => number): Promise<HttpLink> {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 1000 });
  const hung = new Set<ServerResponse>();
  let rule: ((passing: Passing) => Deed) | undefined;
  let hits = 0;
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    response.on("error", () => response.destroy());
    request.on("error", () => response.destroy());
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = request;
    const deed = rule?.({ method, path: url }) ?? PASS;
    if (deed.type !== "pass") hits += 1;
    const sent = await readWhole(request);
    const ask = askOf(request, sent, { target: target(), agent });
    if (deed.type === "pass") return relay(await ask(response), response);
    if (deed.type === "twice") {
      const { change } = deed;
      // Another text of the same length, so that the headers stay valid.
      const again = change ? Buffer.from(change(sent.toString("utf8"))) : sent;
      await drain(await askOf(request, again, { target: target(), agent })(response));
      return relay(await ask(response), response);
    }
    const healthy = deed.done ? await drain(await ask(response)) : "";
    if (deed.type === "hang") hung.add(response.on("close", () => hung.delete(response)));
    else if (deed.type === "reset") request.socket.resetAndDestroy();
    else {
      const text = deed.body(healthy, sent.toString("utf8"));
      const length = { "content-length": String(Buffer.byteLength(text)) };
      response
        .writeHead(deed.status, { "content-type": "application/json", ...length, ...deed.headers })
        .end(text);
    }
  }

  const { port, close } = await listenOnFreePort(server);
  return {
    port,
    decide: (next) => {
      rule = next;
      if (next) return;
      for (const response of hung) response.destroy();
    },
    takeHits: () => {
      const taken = hits;
      hits = 0;
      return taken;
    },
    close: () => {
      agent.destroy();
      return close();
    },
  };
}

async function readWhole(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** The returned function sends the request to the target each time it is called. */
function askOf(request: IncomingMessage, body: Buffer, { target, agent }: { target: number; agent: Agent }) {
  const { method, url: path, rawHeaders } = request;
  return async (response: ServerResponse): Promise<IncomingMessage> => {
    const sent = httpRequest({
      host: "127.0.0.1",
      port: target,
      method,
      path,
      agent,
      headers: rawHeaders,
    } as object);
    // The client has left, so the target's request is aborted.
    response.once("close", () => sent.destroy());
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return answer;
  };
}

function relay(answer: IncomingMessage, response: ServerResponse): void {
  answer.on("error", () => response.destroy());
  answer.on("close", () => {
    if (!answer.complete) response.destroy();
  });
  response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
  response.flushHeaders();
  answer.pipe(response);
}

async function drain(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of answer.setEncoding("utf8")) text += String(piece);
  return text;
}
