import type * as conversation from "../../shared/api/conversation.ts";
import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import type * as session from "../../shared/api/session.ts";
import type { StartSession } from "../../shared/api/session.ts";
import type { FailureCode } from "../../shared/errors.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import { createEmitter } from "../client/emitter.ts";
import { parseJson } from "../client/parse-json.ts";
import { ChatFailure, failureFrom } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";
import type { EarlierPage } from "./log-state.ts";
import * as wire from "./wire.ts";

/** From the call to the last byte of its answer. */
export const TIMEOUT_MS = 10_000;

/** An operation of shared/api by its method and path. */
export type Target = `${ApiOperation["method"]} ${ApiOperation["path"] | "/readyz"}`;
export type TargetOf<O extends ApiOperation> = `${O["method"]} ${O["path"]}`;

/** The types check them against shared/api, whose schemas would cost the panel their bytes. */
const START_SESSION: TargetOf<typeof session.startSession> = "POST /api/session";
const END_SESSION: TargetOf<typeof session.endSession> = "DELETE /api/session";
const START: TargetOf<typeof conversation.startConversation> = "POST /api/conversation";
const SEND: TargetOf<typeof conversation.sendMessage> = "POST /api/conversation/messages";
const EARLIER: TargetOf<typeof conversation.readEarlier> = "GET /api/conversation/messages";
const HANDOFF: TargetOf<typeof conversation.requestHandoff> = "POST /api/conversation/handoff";
const END: TargetOf<typeof conversation.endConversation> = "DELETE /api/conversation";
const EVENTS: TargetOf<typeof conversation.streamEvents> = "GET /api/conversation/events";

export interface Call {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly query?: string;
}

export type BffClient = ReturnType<typeof createBffClient>;

/** The outcome of a call: nothing answered, something did, or it verifiably did what was asked. */
export type Sign = "silent" | "answered" | "verified";

/**
 * The only access to `/api`, except for uploads, whose progress `fetch` does not report. Each method returns a verified
 * answer, or throws a ChatFailure: an answer that can't be verified is `not_confirmed`, whatever its status.
 */
export function createBffClient(environment: Pick<Environment, "fetch" | "setTimer">) {
  const signs = createEmitter<Sign>();
  /** `read` returns undefined for an answer that confirms nothing. */
  const call = async <T>(
    target: Target,
    read: (value: unknown) => T | undefined,
    options: Call,
  ): Promise<T> => {
    try {
      const answer = await withDeadline(environment, async (signal) =>
        readAnswer(read, await request(environment, target, options, signal)),
      );
      signs.emit("verified");
      return answer;
    } catch (error) {
      signs.emit(failureFrom(error).isSilence ? "silent" : "answered");
      throw error;
    }
  };
  return {
    subscribe: signs.subscribe,
    call,
    readConfig: () => call("GET /api/config", wire.readConfig, {}),
    /** Why the BFF is not ready, one sentence each; empty when it is. */
    readFaults: () =>
      withDeadline(environment, async (signal) => {
        // 503 is an answer too: it contains the reasons.
        const response = await request(environment, "GET /readyz", {}, signal);
        const health = wire.readHealth(parseIfJson(response, await response.text()));
        if (health === undefined) throw new ChatFailure("not_confirmed");
        return health.reasons;
      }),
    startSession: (token: string | undefined, body: StartSession) =>
      call(START_SESSION, wire.readSession, { token, body }),
    endSession: (token: string): Promise<unknown> => call(END_SESSION, wire.readRevoked, { token }),
    async startConversation(token: string, body: Outgoing) {
      const answer = await call(START, wire.readStarted, { token, body });
      return { ...answer, message: echoing(answer.message, body) };
    },
    async sendMessage(token: string, body: Outgoing) {
      return echoing((await call(SEND, wire.readSent, { token, body })).message, body);
    },
    /** Reads the page of the log before a seq. */
    async readEarlier(token: string, before: number): Promise<EarlierPage> {
      const query = `?before=${before}`;
      return { ...(await call(EARLIER, wire.readEarlier, { token, query })), before };
    },
    async requestHandoff(token: string, id: string, reason?: string) {
      const asked = { token, body: { reason }, ...onScreen(id) };
      return (await call(HANDOFF, wire.readHandoff, asked)).handoff;
    },
    async endConversation(token: string, id: string): Promise<void> {
      const ended = await call(END, wire.readEnded, { token, ...onScreen(id) });
      if (ended.conversation.id !== id) throw new ChatFailure("not_confirmed");
    },
    /** Opens the event stream; only the caller's signal ends it. Throws what `fetch` throws. */
    async openEvents(token: string, lastEventId: string | undefined, signal: AbortSignal) {
      const options = { token, lastEventId, accept: "text/event-stream" };
      try {
        const response = await request(environment, EVENTS, options, signal);
        signs.emit(response.ok && !isPage(response) ? "verified" : "answered");
        return response;
      } catch (error) {
        if (!signal.aborted) signs.emit("silent");
        throw error;
      }
    },
  };
}

/** Names the conversation that the customer looks at: the call must reach no other one. */
export const onScreen = (id: string) => ({ query: `?conversationId=${id}` });

/** An answer about another message than the one that was sent, or without its files, proves nothing. */
function echoing(message: SentMessage, sent: Outgoing): SentMessage {
  const { attachments = [] } = message;
  const isSame = attachments.map((file) => file.id).join() === (sent.attachments ?? []).join();
  if (message.clientMessageId !== sent.clientMessageId || !isSame) throw new ChatFailure("not_confirmed");
  return message;
}

/** Sends one request to the BFF. The caller evaluates the answer. Throws what `fetch` throws. */
export function request(
  environment: Pick<Environment, "fetch">,
  target: Target,
  options: Call & { lastEventId?: string | undefined; accept?: string },
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { accept: options.accept ?? "application/json" };
  if (options.token) headers["authorization"] = `Bearer ${options.token}`;
  if (options.lastEventId) headers["last-event-id"] = options.lastEventId;
  if (options.body !== undefined) headers["content-type"] = "application/json";
  const [method = "", path = ""] = target.split(" ");
  return environment.fetch(path + (options.query ?? ""), {
    method,
    headers,
    body: JSON.stringify(options.body),
    signal,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
}

/** Turns every way in which `run` can fail into a ChatFailure; a timeout also aborts the request. */
async function withDeadline<T>(
  { setTimer }: Pick<Environment, "setTimer">,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let cancel = (): void => undefined;
  const deadline = new Promise<never>((_, reject) => {
    cancel = setTimer(() => {
      reject(new ChatFailure("support_timeout", { isSilence: true }));
      abort.abort();
    }, TIMEOUT_MS);
  });
  try {
    return await Promise.race([run(abort.signal), deadline]);
  } catch (cause) {
    if (cause instanceof ChatFailure) throw cause;
    throw new ChatFailure("support_unreachable", { isSilence: true, cause });
  } finally {
    cancel();
  }
}

/** The result of `read` for a 200 or 201; everything else throws a ChatFailure. */
export async function readAnswer<T>(read: (value: unknown) => T | undefined, response: Response): Promise<T> {
  const text = await response.text();
  if (response.status >= 400 || isPage(response)) throw failureOf(response, text);
  // 202 and 204 promise nothing, a redirect leads elsewhere: only 200 and 201 mean that it was done.
  const isDone = response.status === 200 || response.status === 201;
  const answer = isDone ? read(parseIfJson(response, text)) : undefined;
  if (answer === undefined) throw new ChatFailure("not_confirmed");
  return answer;
}

/**
 * The failure that a response means. A 401 ends the session only if the BFF itself says so. A 413 means "too large",
 * whoever sends it.
 */
function failureOf(response: Response, text: string): ChatFailure {
  const problem = wire.readProblem(parseIfJson(response, text));
  const seconds = problem?.retryAfter ?? Number(response.headers.get("retry-after") ?? Number.NaN);
  const code: FailureCode =
    problem?.code ??
    (response.status === 413
      ? "body_too_large"
      : response.status >= 500 || isPage(response)
        ? "support_unreachable"
        : "not_confirmed");
  return new ChatFailure(code, Number.isFinite(seconds) && seconds >= 0 ? { retryAfter: seconds } : {});
}

/** HTML comes from something in between, such as the login page of a public network, and never from the BFF. */
function isPage({ headers }: Response): boolean {
  return /^text\/html/i.test(headers.get("content-type") ?? "");
}

function parseIfJson(response: Response, text: string): unknown {
  // Incomplete or not JSON: the schema refuses `undefined`.
  const isJson = /^application\/(problem\+)?json\b/i.test(response.headers.get("content-type") ?? "");
  return isJson ? parseJson(text) : undefined;
}
