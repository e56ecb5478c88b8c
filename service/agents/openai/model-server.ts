import { Agent } from "undici";
import * as z from "zod/mini";
import { jsonOf } from "../../../shared/json.ts";
import type { Clock } from "../../../shared/server/clock.ts";
import { readUpTo } from "../../../shared/server/read-up-to.ts";
import type { Secret } from "../../../shared/server/secret.ts";
import { createAnswerParser } from "./answer-parser.ts";
import { baseAddresses } from "./base-address.ts";
import type { Dialect, ModelEvent, ModelRequest } from "./model-event.ts";
import { faultOf, ModelFault } from "./model-fault.ts";
import { askedWait, isPassing } from "./retry-delay.ts";
import type { TokenPrice } from "./token-price.ts";

/** Short, because a customer waits for the second server meanwhile. */
const CONNECT_MS = 2_500;
/** How long a server may be silent in the middle of an answer. */
const GAP_MS = 15_000;
/** How long a server may take to close an answer that is whole; a connection that it closes in time is used again. */
const CLOSE_MS = 250;
const PROBE_MS = 5_000;
const MAX_ERROR = 64 * 1024;
/** The longest lists of models take less than 1 MB. */
const MAX_LIST = 4 * 1024 * 1024;
const Refusal = z.object({ error: z.object({ param: z.string() }) });
const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

export interface ServerOptions {
  /** The variable that has its address. */
  readonly variable: string;
  readonly baseUrl: URL;
  readonly model: string;
  readonly apiKey: Secret | undefined;
  readonly price?: TokenPrice | undefined;
}

/** The result of probing a server. */
export interface Reached {
  /** The base address that answered. */
  readonly base: string;
  readonly status: number;
  /** Why it will not answer a question, in a sentence; undefined if it will. */
  readonly fault: string | undefined;
  /** Whether it lists models, and not ours. */
  readonly isUnlisted: boolean;
}

/** One server with one model. */
export interface ModelServer {
  /** Its host, for logs. */
  readonly host: string;
  /** What sentences to the operator call it: anybody can read those of `/readyz`, so they name the variable, not the host. */
  readonly name: string;
  readonly model: string;
  readonly price?: TokenPrice | undefined;
  /**
   * Asks once. @param firstMs how long until the answer begins
   * @throws ModelFault, or the signal's reason
   */
  ask(request: ModelRequest, signal: AbortSignal, firstMs: number): AsyncGenerator<ModelEvent>;
  /** Asks for the list of models, which costs nothing. @throws ModelFault when nothing answers */
  probe(signal: AbortSignal): Promise<Reached>;
  close(): void;
}

export function createModelServer(
  { variable, baseUrl, model, apiKey, price }: ServerOptions,
  { dialect, clock }: { readonly dialect: Dialect; readonly clock: Clock },
): ModelServer {
  // Our own clock limits the waiting; a redirect is not followed, because it would take the key elsewhere.
  const pool = new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  const name = `The model server of ${variable}`;
  const bases = [...baseAddresses(baseUrl)];
  /** Fields that this server does not know. */
  const unknown = new Set<string>();
  const bodyOf = (request: ModelRequest) => {
    const fields = Object.entries(dialect.body(request, model)).filter(([name]) => !unknown.has(name));
    return JSON.stringify(Object.fromEntries(fields));
  };
  const authorization = apiKey && bearer(apiKey);
  const send = async (path: string, body: string | null, signal: AbortSignal) => {
    try {
      const answer = await pool.request({
        origin: baseUrl.origin,
        path: `${new URL(bases[0] ?? baseUrl).pathname}${path}`.replace(/^\/\//, "/"),
        method: body === null ? "GET" : "POST",
        headers: {
          accept: body === null ? "application/json" : "text/event-stream, application/json",
          ...(body === null ? {} : { "content-type": "application/json" }),
          ...(authorization ? { authorization } : {}),
        },
        body,
        signal,
      });
      // An abort before anybody reads is reported as an `error` event, which without a listener would end the process.
      answer.body.on("error", () => undefined);
      return answer;
    } catch (cause) {
      throw signal.aborted ? signal.reason : unreachable(cause);
    }
  };
  /** The first base address that has the operation. Which one that is, is remembered. */
  const sendToBase = async (path: string, body: string | null, signal: AbortSignal) => {
    let answer = await send(path, body, signal);
    if (answer.statusCode === 404 && bases.length > 1) {
      answer.body.destroy();
      bases.reverse();
      const other = await send(path, body, signal);
      if (other.statusCode === 404) bases.reverse();
      answer = other;
    }
    if (answer.statusCode < 300) bases.length = 1;
    return answer;
  };
  /** Sends a question; again without a field that the server refuses and an answer does not need. */
  const sendUntilKnown = async (request: ModelRequest, signal: AbortSignal) => {
    for (;;) {
      const answer = await sendToBase(dialect.path, bodyOf(request), signal);
      const { statusCode, headers, body } = answer;
      if (statusCode === 200) return answer;
      const text = (await readUpTo(body, MAX_ERROR)).bytes.toString("utf8");
      const field = dialect.dispensable.find((name) => !unknown.has(name) && isUnknownField(text, name));
      if (field === undefined || (statusCode !== 400 && statusCode !== 422)) {
        throw refused(statusCode, headers, text, clock.now());
      }
      unknown.add(field);
    }
  };
  return {
    host: baseUrl.host,
    name,
    model,
    price,
    async *ask(request, signal, firstMs) {
      const late = new AbortController();
      const both = AbortSignal.any([signal, late.signal]);
      let stopTimer: () => void = () => undefined;
      const allow = (ms: number) => {
        stopTimer();
        stopTimer = clock.after(ms, () => late.abort(new ModelFault("model_slow", "The model is too slow.")));
      };
      allow(firstMs);
      try {
        const { headers, body } = await sendUntilKnown(request, both);
        const isJson = /^application\/json\b/i.test(String(headers["content-type"] ?? ""));
        const parser = createAnswerParser(dialect, isJson);
        let isClosing = false;
        try {
          for await (const bytes of body) {
            for (const event of parser.feed(bytes)) {
              // Only what belongs to the answer is a sign of life: comments may come from a proxy.
              allow(GAP_MS);
              yield event;
            }
            if (parser.isOver() && !isClosing) {
              isClosing = true;
              allow(CLOSE_MS);
            }
          }
        } catch (cause) {
          if (signal.aborted) throw signal.reason;
          // Some servers keep the connection open, or break it, after the whole answer.
          if (!parser.isOver()) {
            if (late.signal.aborted) throw late.signal.reason;
            throw cause instanceof ModelFault ? cause : cutOff(cause);
          }
        }
        yield* parser.end();
      } finally {
        stopTimer();
        // Ends the request if the reader has had enough.
        late.abort();
      }
    },
    async probe(signal) {
      const late = new AbortController();
      const stop = clock.after(PROBE_MS, () =>
        late.abort(new ModelFault("model_slow", "The server is too slow.")),
      );
      try {
        const { statusCode, body } = await sendToBase(
          "/models",
          null,
          AbortSignal.any([signal, late.signal]),
        );
        // A list that can't be read does not mean that the server is away.
        const list = await readUpTo(body, MAX_LIST).catch(() => undefined);
        return {
          base: bases[0] ?? baseUrl.href,
          status: statusCode,
          fault: faultOfStatus(statusCode, name),
          isUnlisted: list !== undefined && isUnlisted(list.bytes.toString("utf8"), model),
        };
      } finally {
        stop();
      }
    },
    close: () => void pool.destroy(),
  };
}

/** A server without a list of models answers 404, and is there. */
function faultOfStatus(status: number, name: string): string | undefined {
  if (status === 401 || status === 403) return `${name} refused the key (${status}).`;
  return status >= 500 ? `${name} answers ${status}.` : undefined;
}

/** Ollama lists `llama3.3:latest` and also answers to `llama3.3`. */
function isUnlisted(list: string, model: string): boolean {
  const ids = Models.safeParse(jsonOf(list)).data?.data.map(({ id }) => id) ?? [];
  return ids.length > 0 && !ids.includes(model) && !ids.includes(`${model}:latest`);
}

function unreachable(cause: unknown): ModelFault {
  const more = { isPassing: true, cause };
  return new ModelFault("model_unreachable", "The model server could not be reached.", more);
}

function cutOff(cause: unknown): ModelFault {
  return new ModelFault("model_cut", "The connection to the model server broke.", { isPassing: true, cause });
}

/** Whether an error names the field. An error may also quote the customer's words, which are no reason. */
function isUnknownField(text: string, name: string): boolean {
  const said = Refusal.safeParse(jsonOf(text));
  if (said.success && said.data.error.param === name) return true;
  const field = `\\\\?["'\`]${name}\\\\?["'\`]`;
  const reason = "(?:unknown|unrecognized|extra|unsupported|not permitted)";
  // "Unrecognized request argument supplied: store"
  const bare = `(?:argument|parameter|field|property|input)s?(?: supplied| provided)?: ?${name}(?!\\w)`;
  return new RegExp(`${reason}.{0,60}(?:${field}|${bare})|${field}.{0,60}${reason}`, "is").test(text);
}

function refused(
  status: number,
  headers: Parameters<typeof isPassing>[1],
  text: string,
  now: number,
): ModelFault {
  const said = jsonOf(text);
  const fault = faultOf(
    typeof said === "object" && said !== null && "error" in said ? said.error : undefined,
  );
  if (fault.code === "model_quota") return fault;
  return new ModelFault("model_refused", `The model server answered ${status}.`, {
    isPassing: isPassing(status, headers),
    waitMs: askedWait(headers, now),
    status,
  });
}

/** The header for a key. */
function bearer(apiKey: Secret): string {
  return `Bearer ${apiKey.reveal()}`;
}
