import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { MockUpstream } from "./mock.ts";

/** Everything that a plain client of node:http sees of one answer. */
export interface Seen {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly headers: IncomingMessage["headers"];
  /** The body, as far as it was read. */
  readonly text: string;
  /** Whether the answer ended as its headers announced. */
  readonly complete: boolean;
  /** The code of the error that ended it. */
  readonly error: string | undefined;
}

export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** The raw text instead of JSON. */
  readonly text?: string;
  /** Leaves after this many bytes of the body. */
  readonly leaveAfterBytes?: number;
  /** Leaves as soon as the body so far ends like this. */
  readonly leaveOn?: RegExp;
  /** Leaves if the answer has not ended within this time, in ms; otherwise the test's own limit ends it. */
  readonly patienceMs?: number;
  readonly ca?: string;
}

/** One request on its own connection, with node:http only. Never rejects: an error is part of the result. */
export function ask(base: string, options: Ask): Promise<Seen> {
  const url = new URL(options.path, base);
  const text = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  return new Promise((resolve) => {
    let answer: IncomingMessage | undefined;
    let received = "";
    let bytes = 0;
    const finish = (error?: string) => {
      clearTimeout(timer);
      resolve({
        status: answer?.statusCode,
        type: answer?.headers["content-type"],
        headers: answer?.headers ?? {},
        text: received,
        complete: answer?.complete ?? false,
        error,
      });
      sent.destroy();
    };
    const make = url.protocol === "https:" ? httpsRequest : httpRequest;
    const headers = {
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    };
    const sent = make(url, {
      method: options.method,
      headers,
      agent: false,
      ...(options.ca ? { ca: options.ca } : {}),
    });
    const { patienceMs } = options;
    const timer = patienceMs === undefined ? undefined : setTimeout(() => finish("PATIENCE"), patienceMs);
    sent.on("error", (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
    sent.on("response", (response) => {
      answer = response;
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        bytes += piece.length;
        if (received.length < 10_000) received += piece;
        if (options.leaveOn?.test(received)) finish("LEFT");
        if (options.leaveAfterBytes !== undefined && bytes >= options.leaveAfterBytes) finish("LEFT");
      });
      response.on("error", (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
      response.on("end", () => finish());
    });
    sent.end(text);
  });
}

/** A client that does everything right, step by step. */
export interface GoodClient {
  readonly token: string;
  readonly conversationId: string;
  readonly application: Record<string, string>;
  readonly session: Record<string, string>;
}

/** Opens a session and a conversation, as the contract requires. */
export async function openGoodClient(mock: MockUpstream, externalId = "anon_1"): Promise<GoodClient> {
  const { credential, publicKey } = mock.secrets;
  const application = { authorization: `Bearer ${credential}`, "x-public-key": publicKey };
  const ca = mock.certificate === undefined ? {} : { ca: mock.certificate };
  const opened = await ask(mock.url, {
    method: "POST",
    path: "/v1/sdk/sessions",
    headers: application,
    body: { externalId },
    ...ca,
  });
  const { token } = JSON.parse(opened.text) as { token: string };
  const session = { authorization: `Bearer ${token}` };
  const started = await ask(mock.url, {
    method: "POST",
    path: "/v1/support/conversations",
    headers: session,
    body: { subject: "Hello" },
    ...ca,
  });
  const { conversation } = JSON.parse(started.text) as { conversation: { id: string } };
  return { token, conversationId: conversation.id, application, session };
}
