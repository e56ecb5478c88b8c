import type * as z from "zod/mini";
import { readConfig } from "../../shared/api/config.ts";
import type { Outgoing } from "../../shared/api/conversation.ts";
import {
  endConversation,
  requestHandoff,
  sendMessage,
  startConversation,
  streamEvents,
} from "../../shared/api/conversation.ts";
import { endSession, type StartSession, startSession } from "../../shared/api/session.ts";
import { Failure, type FailureCode, Problem } from "../../shared/errors.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import type { Environment } from "./environment.ts";

/** From the call to the last byte of its answer (requirements 4.4). */
export const TIMEOUT_MS = 10_000;

type Answer<O extends ApiOperation> = z.infer<O["answer"]>;

interface Call {
  readonly token?: string | undefined;
  readonly body?: unknown;
}

export type BffClient = ReturnType<typeof createBffClient>;

/**
 * The only caller of `fetch` in the frame. Each method gives an answer that was verified against the shared schema,
 * or throws a Failure: what can't be verified is `not_confirmed`, whatever its status says (R51).
 */
export function createBffClient(environment: Pick<Environment, "fetch" | "setTimer">) {
  const call = <O extends ApiOperation>(operation: O, options: Call): Promise<Answer<O>> =>
    withDeadline(environment, async (signal) =>
      readAnswer(operation, await request(environment, operation, options, signal)),
    );
  return {
    readConfig: () => call(readConfig, {}),
    startSession: (token: string | undefined, body: StartSession) => call(startSession, { token, body }),
    endSession: (token: string) => call(endSession, { token }),
    async startConversation(token: string, body: Outgoing) {
      const answer = await call(startConversation, { token, body });
      return { ...answer, message: echoing(answer.message, body) };
    },
    async sendMessage(token: string, body: Outgoing) {
      return echoing((await call(sendMessage, { token, body })).message, body);
    },
    async requestHandoff(token: string, reason?: string) {
      return (await call(requestHandoff, { token, body: reason ? { reason } : {} })).handoff;
    },
    async endConversation(token: string, id: string) {
      const { conversation } = await call(endConversation, { token });
      if (conversation.id !== id) throw new Failure("not_confirmed");
    },
    /** Opens the event stream; it has no deadline of ours but the caller's signal. Throws what `fetch` throws. */
    openEvents: (token: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
      request(environment, streamEvents, { token, lastEventId, accept: "text/event-stream" }, signal),
  };
}

/** An answer about another message than the one that was sent proves nothing about this one. */
function echoing<M extends { clientMessageId: string }>(message: M, sent: Outgoing): M {
  if (message.clientMessageId !== sent.clientMessageId) throw new Failure("not_confirmed");
  return message;
}

function request(
  environment: Pick<Environment, "fetch">,
  operation: ApiOperation,
  options: Call & { lastEventId?: string | undefined; accept?: string },
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { accept: options.accept ?? "application/json" };
  if (options.token) headers["authorization"] = `Bearer ${options.token}`;
  if (options.lastEventId) headers["last-event-id"] = options.lastEventId;
  if (options.body !== undefined) headers["content-type"] = "application/json";
  return environment.fetch(operation.path, {
    method: operation.method,
    headers,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    signal,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
}

/** Turns every way in which `run` can end without an answer into a Failure; a time-out also stops the request. */
async function withDeadline<T>(
  { setTimer }: Pick<Environment, "setTimer">,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let cancel = (): void => undefined;
  const deadline = new Promise<never>((_, reject) => {
    cancel = setTimer(() => {
      reject(new Failure("support_timeout"));
      abort.abort();
    }, TIMEOUT_MS);
  });
  try {
    return await Promise.race([run(abort.signal), deadline]);
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure("support_unreachable", { cause });
  } finally {
    cancel();
  }
}

async function readAnswer<O extends ApiOperation>(operation: O, response: Response): Promise<Answer<O>> {
  const text = await response.text();
  if (response.status >= 400) throw failureOf(response, text);
  // 202 and 204 promise nothing, a redirect leads elsewhere: only these two say that it was done.
  if (response.status !== 200 && response.status !== 201) throw new Failure("not_confirmed");
  const parsed = operation.answer.safeParse(parseIfJson(response, text));
  if (!parsed.success) throw new Failure("not_confirmed");
  return parsed.data as Answer<O>;
}

/** The failure that a response stands for. A 401 counts as the end of the session only when the BFF itself says so. */
export function failureOf(response: Response, text: string): Failure {
  const problem = Problem.safeParse(parseIfJson(response, text));
  const seconds = problem.data?.retryAfter ?? Number(response.headers.get("retry-after") ?? Number.NaN);
  const code: FailureCode =
    problem.data?.code ?? (response.status >= 500 ? "support_unreachable" : "not_confirmed");
  return new Failure(code, Number.isFinite(seconds) && seconds >= 0 ? { retryAfter: seconds } : {});
}

function parseIfJson(response: Response, text: string): unknown {
  if (!/^application\/(problem\+)?json\b/i.test(response.headers.get("content-type") ?? "")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Cut or not JSON at all: the schema refuses `undefined`.
    return undefined;
  }
}
