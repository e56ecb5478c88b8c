import type { PublicConfig } from "../../shared/api/config.ts";
import type * as conversation from "../../shared/api/conversation.ts";
import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import type * as session from "../../shared/api/session.ts";
import type { SessionState, StartSession } from "../../shared/api/session.ts";
import type { Conversation } from "../../shared/conversation.ts";
import type { FailureCode } from "../../shared/errors.ts";
import type { Handoff } from "../../shared/handoff.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import { createEmitter, type Emitter } from "../client/emitter.ts";
import { ChatFailure, failureFrom } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";
import type { EarlierPage } from "./log-state.ts";
import * as wire from "./wire.ts";

/** From the call to the last byte of its answer. */
export const TIMEOUT_MS = 10_000;

export type Target = Pick<ApiOperation, "method"> & { readonly path: ApiOperation["path"] | "/readyz" };
/** What a call needs to know of an operation of shared/api. */
export type TargetOf<O extends ApiOperation> = Pick<O, "method" | "path">;

/** Method and path of each operation; the types check them against shared/api. */
const TARGETS = {
  startSession: { method: "POST", path: "/api/session" } satisfies TargetOf<typeof session.startSession>,
  endSession: { method: "DELETE", path: "/api/session" } satisfies TargetOf<typeof session.endSession>,
  start: { method: "POST", path: "/api/conversation" } satisfies TargetOf<
    typeof conversation.startConversation
  >,
  send: { method: "POST", path: "/api/conversation/messages" } satisfies TargetOf<
    typeof conversation.sendMessage
  >,
  earlier: { method: "GET", path: "/api/conversation/messages" } satisfies TargetOf<
    typeof conversation.readEarlier
  >,
  handoff: { method: "POST", path: "/api/conversation/handoff" } satisfies TargetOf<
    typeof conversation.requestHandoff
  >,
  action: { method: "POST", path: "/api/conversation/actions" } satisfies TargetOf<
    typeof conversation.answerAction
  >,
  end: { method: "DELETE", path: "/api/conversation" } satisfies TargetOf<
    typeof conversation.endConversation
  >,
  events: { method: "GET", path: "/api/conversation/events" } satisfies TargetOf<
    typeof conversation.streamEvents
  >,
  config: { method: "GET", path: "/api/config" },
  health: { method: "GET", path: "/readyz" },
} as const satisfies Record<string, Target>;

export interface Call {
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** With its question mark. */
  readonly query?: string;
}

/**
 * The only access to `/api`, except for uploads, whose progress `fetch` does not report. Each method returns a verified
 * answer, or throws a ChatFailure.
 */
export interface BffClient {
  /** Receives the outcome of each call. */
  readonly subscribe: Emitter<Sign>["subscribe"];
  readConfig(): Promise<Pick<PublicConfig, "fallback" | "identityPolicy">>;
  /** Why the BFF is not ready, one sentence each; empty when it is. */
  readFaults(): Promise<string[]>;
  startSession(token: string | undefined, body: StartSession): Promise<SessionState>;
  endSession(token: string): Promise<unknown>;
  startConversation(
    token: string,
    body: Outgoing,
  ): Promise<{ conversation: Conversation & { epoch: string }; message: SentMessage }>;
  sendMessage(token: string, body: Outgoing): Promise<SentMessage>;
  /** Reads the page of the log that stands before a seq. */
  readEarlier(token: string, before: number): Promise<EarlierPage>;
  requestHandoff(token: string, reason?: string): Promise<Handoff>;
  answerAction(token: string, actionId: string, approved: boolean): Promise<void>;
  endConversation(token: string, id: string): Promise<void>;
  /** A call of a later part; `read` returns undefined for an answer that confirms nothing. */
  call<T>(target: Target, read: (value: unknown) => T | undefined, options: Call): Promise<T>;
  /** Opens the event stream; only the caller's signal ends it. Throws what `fetch` throws. */
  openEvents(token: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
}

/** The outcome of a call: nothing answered, something did, or it verifiably did what was asked. */
export type Sign = "silent" | "answered" | "verified";

/** An answer that can't be verified is `not_confirmed`, whatever its status. */
export function createBffClient(environment: Pick<Environment, "fetch" | "setTimer">): BffClient {
  const signs = createEmitter<Sign>();
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
    readConfig: () => call(TARGETS.config, wire.readConfig, {}),
    readFaults: () =>
      withDeadline(environment, async (signal) => {
        // 503 is an answer too: it contains the reasons.
        const response = await request(environment, TARGETS.health, {}, signal);
        const health = wire.readHealth(parseIfJson(response, await response.text()));
        if (health === undefined) throw new ChatFailure("not_confirmed");
        return health.reasons;
      }),
    startSession: (token, body) => call(TARGETS.startSession, wire.readSession, { token, body }),
    endSession: (token) => call(TARGETS.endSession, wire.readRevoked, { token }),
    async startConversation(token, body) {
      const answer = await call(TARGETS.start, wire.readStarted, { token, body });
      return { ...answer, message: echoing(answer.message, body) };
    },
    async sendMessage(token, body) {
      return echoing((await call(TARGETS.send, wire.readSent, { token, body })).message, body);
    },
    async readEarlier(token, before) {
      const query = `?before=${before}`;
      return { ...(await call(TARGETS.earlier, wire.readEarlier, { token, query })), before };
    },
    async requestHandoff(token, reason) {
      const body = reason ? { reason } : {};
      return (await call(TARGETS.handoff, wire.readHandoff, { token, body })).handoff;
    },
    async answerAction(token, actionId, approved) {
      const body = { actionId, approved };
      const { action } = await call(TARGETS.action, wire.readAnswered, { token, body });
      if (action.actionId !== actionId || action.approved !== approved)
        throw new ChatFailure("not_confirmed");
    },
    async endConversation(token, id) {
      const ended = await call(TARGETS.end, wire.readEnded, { token });
      if (ended.conversation.id !== id) throw new ChatFailure("not_confirmed");
    },
    async openEvents(token, lastEventId, signal) {
      const options = { token, lastEventId, accept: "text/event-stream" };
      try {
        const response = await request(environment, TARGETS.events, options, signal);
        signs.emit(response.ok ? "verified" : "answered");
        return response;
      } catch (error) {
        if (!signal.aborted) signs.emit("silent");
        throw error;
      }
    },
  };
}

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
  return environment.fetch(target.path + (options.query ?? ""), {
    method: target.method,
    headers,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
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
  if (response.status >= 400) throw failureOf(response, text);
  // 202 and 204 promise nothing, a redirect leads elsewhere: only 200 and 201 mean that it was done.
  const isDone = response.status === 200 || response.status === 201;
  const answer = isDone ? read(parseIfJson(response, text)) : undefined;
  if (answer === undefined) throw new ChatFailure("not_confirmed");
  return answer;
}

/** The failure that a response means. A 401 counts as the end of the session only if the BFF itself says so. */
function failureOf(response: Response, text: string): ChatFailure {
  const problem = wire.readProblem(parseIfJson(response, text));
  const seconds = problem?.retryAfter ?? Number(response.headers.get("retry-after") ?? Number.NaN);
  const code: FailureCode =
    problem?.code ?? (response.status >= 500 ? "support_unreachable" : "not_confirmed");
  return new ChatFailure(code, Number.isFinite(seconds) && seconds >= 0 ? { retryAfter: seconds } : {});
}

function parseIfJson(response: Response, text: string): unknown {
  // Incomplete or not JSON: the schema refuses `undefined`.
  const isJson = /^application\/(problem\+)?json\b/i.test(response.headers.get("content-type") ?? "");
  return isJson ? wire.parseJson(text) : undefined;
}
