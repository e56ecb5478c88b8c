import { randomBytes, randomUUID } from "node:crypto";
import type { SessionState } from "../../shared/api/session.ts";
import { type Clock, systemClock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { type Bff, createBff } from "../app.ts";
import { parseConfig } from "../config.ts";
import type { BffDeps } from "../parts.ts";
import type { StaticFiles } from "../static/load-files.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { createFetchTransport, type FetchApp } from "../upstream/fetch-transport.ts";
import { createTestOutgoing } from "./test-outgoing.ts";

/** The BFF's own origin in tests. */
export const ORIGIN = "http://localhost:3000";

export interface TestBff {
  readonly bff: Bff;
  /** Every log line so far, as JSON. */
  readonly lines: string[];
  /** Every byte that was answered so far, including headers. */
  readonly answered: string[];
  /** A request as the panel makes it; `init.headers` adds or replaces headers, an empty one removes. */
  request(method: string, path: string, init?: TestRequest): Promise<Response>;
  /** A POST with a JSON body and the bearer token. */
  post(path: string, body: unknown, token?: string): Promise<Response>;
  startSession(): Promise<SessionState>;
  /** A session with an open conversation, and its id. */
  startConversation(): Promise<{ token: string; answer: Response; id: string }>;
}

export interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly token?: string | undefined;
  readonly env?: unknown;
}

export interface TestBffOptions extends Partial<Omit<BffDeps, "config" | "transport">> {
  readonly service: FetchApp;
  readonly env?: Readonly<Record<string, string>>;
  readonly transport?: BffDeps["transport"];
  readonly clock?: Clock;
}

/** The whole BFF on an in-memory store, with a service in this process. */
export function createTestBff(options: TestBffOptions): TestBff {
  const { service, env = {}, ...rest } = options;
  const lines: string[] = [];
  const answered: string[] = [];
  const config = parseConfig(
    {
      BASE_URL: "http://127.0.0.1:9",
      APPLICATION_CREDENTIAL: "sk_credential",
      APPLICATION_PUBLIC_KEY: "pk_public",
      ...env,
    },
    () => "",
  );
  const bff = createBff({
    config,
    version: "0.0.0-test",
    transport: createFetchTransport(service),
    store: createSqliteStore(":memory:", { clock: rest.clock ?? systemClock }),
    files: testFiles(),
    clock: systemClock,
    random: randomBytes,
    newRequestId: randomUUID,
    log: createMemoryLog(lines),
    support: () => Promise.resolve([]),
    ...rest,
  });
  const { fetch } = bff.app;
  bff.app.fetch = async (asked, connection, ...more) => {
    const { outgoing, answerOf } = createTestOutgoing();
    // A server that a test starts has its own.
    return answerOf(await fetch(asked, { outgoing, ...(connection as object) }, ...more));
  };

  async function request(method: string, path: string, init: TestRequest = {}): Promise<Response> {
    const headers = new Headers({ origin: ORIGIN, "sec-fetch-site": "same-origin" });
    if (init.token !== undefined) headers.set("authorization", `Bearer ${init.token}`);
    for (const [name, value] of Object.entries(init.headers ?? {})) {
      if (value === "") headers.delete(name);
      else headers.set(name, value);
    }
    const { body } = init;
    const answer = await bff.app.request(
      path,
      { method, headers, ...(body === undefined ? {} : { body, duplex: "half" }) } as RequestInit,
      (init.env ?? {}) as object,
    );
    answered.push(JSON.stringify([...answer.headers]));
    if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) {
      answered.push(await answer.clone().text());
    }
    return answer;
  }
  const post = (path: string, given: unknown, token?: string) => {
    const body = JSON.stringify(given);
    const length = String(Buffer.byteLength(body));
    const headers = { "content-type": "application/json", "content-length": length };
    return request("POST", path, { headers, body, token });
  };
  async function startSession(): Promise<SessionState> {
    const answer = await post("/api/session", {});
    if (answer.status !== 201) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as SessionState;
  }

  return {
    bff,
    lines,
    answered,
    request,
    post,
    startSession,
    async startConversation() {
      const { token } = await startSession();
      const answer = await post("/api/conversation", { clientMessageId: "first", body: "Hello" }, token);
      const { conversation } = (await answer.clone().json()) as { conversation?: { id: string } };
      return { token, answer, id: conversation?.id ?? "" };
    },
  };
}

function createMemoryLog(lines: string[]): Log {
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push(JSON.stringify({ level, ...fields, message }));
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

function testFiles(): StaticFiles {
  const file = (mediaType: string, text: string) => ({
    mediaType,
    etag: `"${text.length}"`,
    plain: Buffer.from(text),
    brotli: Buffer.from("brotli"),
    gzip: undefined,
  });
  return {
    loader: file("text/javascript; charset=utf-8", "loader()"),
    frame: '<!doctype html><meta name="parley-origins" content=""><title>Chat</title>',
    assets: new Map([["main-abc.js", file("text/javascript; charset=utf-8", "main()")]]),
  };
}

/** The code of a problem document, with its status. */
export async function problemOf(answer: Response): Promise<string> {
  const body = (await answer.json()) as { code?: unknown };
  return `${answer.status} ${String(body.code)}`;
}

/** Reads an event stream until `count` blocks arrived, or it ended. Heartbeats count only on request. */
export async function readBlocks(answer: Response, count: number, heartbeats = false): Promise<string[]> {
  const reader = answer.body?.getReader();
  if (!reader) return [];
  const decoder = new TextDecoder();
  let text = "";
  const blocks = () =>
    text
      .split("\n\n")
      .slice(0, -1)
      .filter((block) => heartbeats || block !== ":");
  while (blocks().length < count) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return blocks();
}

/** The JSON of a block. */
export function dataOf(block: string | undefined): unknown {
  return JSON.parse(block?.slice(block.indexOf("data: ") + "data: ".length) ?? "null");
}
