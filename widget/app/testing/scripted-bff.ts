import type { AskedAction } from "../../../shared/action.ts";
import type { SessionState } from "../../../shared/api/session.ts";
import { FAILURES, Failure, type FailureCode, problemOf } from "../../../shared/errors.ts";
import type { ChatEvent, LoggedEvent } from "../../../shared/event.ts";
import type { FeedbackScore } from "../../../shared/feedback.ts";
import type { Handoff } from "../../../shared/handoff.ts";
import { markOf } from "../../../shared/mark-of.ts";
import type { Message } from "../../../shared/message.ts";

export interface Received {
  readonly method: string;
  readonly path: string;
  /** With its question mark; empty if there is none. */
  readonly query: string;
  readonly authorization: string | null;
  readonly lastEventId: string | null;
  readonly body: {
    readonly clientMessageId?: string;
    readonly body?: string;
    readonly actionId?: string;
    readonly approved?: boolean;
    readonly seq?: number;
    readonly email?: string | null;
    readonly messageId?: string;
    readonly score?: FeedbackScore | null;
  };
}

type Answerer = (request: Received, signal: AbortSignal) => Response | Promise<Response>;

export const AT = "2026-11-21T10:00:00.000Z";
export const EPOCH = "e1";

/** Answers of a BFF that confirm nothing: wrong successes, failures, and none at all. */
export const FAULTS: Readonly<Record<string, Answerer>> = {
  "200 empty": () => new Response("", { status: 200, headers: { "content-type": "application/json" } }),
  "200 {}": () => json(200, {}),
  "200 []": () => json(200, []),
  "200 null": () => json(200, null),
  "200 HTML": () =>
    new Response("<p>Message sent</p>", { status: 200, headers: { "content-type": "text/html" } }),
  "200 truncated": () =>
    new Response('{"message":{"id":"m1","se', {
      status: 200,
      headers: { "content-type": "application/json" },
    }),
  "201 JSON as text": () =>
    new Response(JSON.stringify(true), { status: 201, headers: { "content-type": "text/plain" } }),
  "202": () => json(202, { accepted: true }),
  "202 with a whole answer": ({ method, body }) =>
    json(202, {
      message: customerMessage(9, body.clientMessageId ?? "", body.body ?? ""),
      conversation: { id: "conversation-1", status: method === "DELETE" ? "ended" : "open", epoch: EPOCH },
      handoff: { id: "handoff-9", status: "requested" },
    }),
  "204": () => new Response(null, { status: 204 }),
  "400 bare": () => new Response("no", { status: 400 }),
  "401 of a proxy": () => new Response("<h1>Sign in</h1>", { status: 401 }),
  "404 HTML": () => new Response("<h1>404</h1>", { status: 404 }),
  "429 problem": () => problem("rate_limited", 7),
  "500 problem": () => problem("internal"),
  "502 not_confirmed": () => problem("not_confirmed"),
  "503 HTML": () => new Response("<h1>503</h1>", { status: 503 }),
  "network error": () => Promise.reject(new TypeError("Failed to fetch")),
  "reset in the body": () =>
    new Response(
      new ReadableStream({ start: (controller) => controller.error(new TypeError("network error")) }),
      { status: 201, headers: { "content-type": "application/json" } },
    ),
  "another key": () => json(201, { message: { ...customerMessage(9, "other", "x"), id: "m9" } }),
};

export function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

export function problem(code: FailureCode, retryAfter?: number): Response {
  const failure = new Failure(code, retryAfter === undefined ? {} : { retryAfter });
  const headers = {
    "content-type": "application/problem+json",
    ...(retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` }),
  };
  return new Response(JSON.stringify(problemOf(failure, "r1")), { status: FAILURES[code][0], headers });
}

/** The FAULTS in which nothing answers, so that the panel retries before the message is unconfirmed. */
export const isSilence = (name: string) => name === "network error" || name === "reset in the body";

export function customerMessage(seq: number, clientMessageId: string, body: string): Message {
  return { id: `m${seq}`, seq, role: "customer", body, at: AT, clientMessageId };
}

export function agentMessage(seq: number, body: string, more: Partial<Message> = {}): Message {
  return { id: `m${seq}`, seq, role: "agent", body, at: AT, author: { name: "Knowledge" }, ...more };
}

/** A BFF at the level of `fetch`: answers as the contract says unless a test replaces an answer. */
export function createScriptedBff() {
  const received: Received[] = [];
  const scripted = new Map<string, Answerer[]>();
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const state = {
    conversation: null as SessionState["conversation"],
    tokens: new Set<string>(),
    customers: 0,
    conversations: 0,
    /** What its service offers; without "turns" a second message is not_carried. */
    capabilities: ["turns", "events", "messages"] as SessionState["capabilities"],
    /** Entries of the log that one page has. */
    page: Number.POSITIVE_INFINITY,
    /** The actions of its log with their current state. */
    actions: [] as readonly AskedAction[],
  };
  let log: LoggedEvent[] = [];

  const record = (event: LoggedEvent) => {
    log.push(event);
    write(`id: ${EPOCH}:${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const write = (text: string) => {
    for (const stream of streams) stream.enqueue(new TextEncoder().encode(text));
  };
  const nextSeq = () => (log.at(-1)?.seq ?? 0) + 1;
  const pageBefore = (before: number) => {
    const earlier = log.filter((event) => event.seq < before);
    const page = earlier.slice(-state.page);
    const [first] = page;
    const start = first?.seq ?? before;
    const actions = state.actions.filter(({ seq }) => seq >= start && seq < before);
    return {
      messages: page.flatMap((event) => (event.type === "message.created" ? [event.message] : [])),
      marks: page.flatMap((event) => markOf(event) ?? []),
      ...(actions.length > 0 ? { actions } : {}),
      ...(first && page.length < earlier.length ? { nextBefore: first.seq } : {}),
    };
  };
  const snapshot = () =>
    state.conversation && {
      ...state.conversation,
      lastSeq: nextSeq() - 1,
      ...pageBefore(nextSeq()),
    };

  const accept = (request: Received): Message => {
    const key = request.body.clientMessageId ?? "";
    const known = log.find(
      (event) => event.type === "message.created" && event.message.clientMessageId === key,
    );
    if (known?.type === "message.created") return known.message;
    const message = customerMessage(nextSeq(), key, request.body.body ?? "");
    record({ type: "message.created", seq: message.seq, at: AT, message });
    return message;
  };

  const routes: Record<string, Answerer> = {
    "GET /api/config": () => json(200, { version: "0", siteId: "parley", identityPolicy: "optional" }),
    "POST /api/session"(request) {
      const token = request.authorization?.replace("Bearer ", "");
      if (token && !state.tokens.has(token)) return problem("session_expired");
      if (!token) state.customers += 1;
      const given = token ?? `token-${state.customers}-`.padEnd(43, "x");
      state.tokens.add(given);
      return json(token ? 200 : 201, {
        token: given,
        expiresAt: AT,
        customer: { externalId: `anon_${state.customers}`, identified: false },
        route: { channel: "web", agentProvider: "knowledge" },
        capabilities: state.capabilities,
        conversation: snapshot(),
      });
    },
    "DELETE /api/session": () => json(200, { revoked: true }),
    "POST /api/conversation"(request) {
      if (state.conversation?.status !== "open") {
        log = [];
        for (const stream of streams) stream.close();
        streams.clear();
        state.conversations += 1;
        state.conversation = {
          id: `conversation-${state.conversations}`,
          status: "open",
          epoch: EPOCH,
          lastSeq: 0,
          messages: [],
        };
        record({ type: "conversation.started", seq: 1, at: AT });
      }
      const message = accept(request);
      const { id, status, epoch } = state.conversation;
      return json(201, { conversation: { id, status, epoch }, message });
    },
    "POST /api/conversation/messages"(request) {
      if (!state.conversation) return problem("no_conversation");
      if (state.conversation.status === "ended") return problem("conversation_ended");
      if (!state.capabilities.includes("turns")) return problem("not_carried");
      return json(201, { message: accept(request) });
    },
    "GET /api/conversation/messages"({ query }) {
      if (!state.conversation) return problem("no_conversation");
      const { id, epoch } = state.conversation;
      const before = Number(new URLSearchParams(query).get("before"));
      return json(200, { conversation: { id, epoch }, ...pageBefore(before) });
    },
    "POST /api/conversation/handoff"() {
      setHandoff("requested");
      return json(201, { handoff: { id: "handoff-1", status: "requested" } });
    },
    "POST /api/conversation/actions"(request) {
      const { actionId = "", approved = false } = request.body;
      record({ type: "action.answered", seq: nextSeq(), at: AT, actionId, approved });
      return json(200, { action: { actionId, approved } });
    },
    "POST /api/conversation/feedback": ({ body: { messageId, score } }) =>
      json(200, { feedback: { messageId, score } }),
    "POST /api/conversation/read"({ body: { seq = 1 } }) {
      if (state.conversation) state.conversation = { ...state.conversation, read: { customer: seq } };
      return json(200, { read: { seq } });
    },
    "DELETE /api/conversation"() {
      if (!state.conversation) return problem("no_conversation");
      end();
      return json(200, { conversation: { id: state.conversation.id, status: "ended" } });
    },
    "GET /api/conversation/events"(request, signal) {
      const after = Number(request.lastEventId?.split(":")[1] ?? 0);
      let mine: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          mine = controller;
          streams.add(controller);
          for (const event of log.filter((known) => known.seq > after)) {
            controller.enqueue(
              new TextEncoder().encode(`id: ${EPOCH}:${event.seq}\ndata: ${JSON.stringify(event)}\n\n`),
            );
          }
          signal.addEventListener("abort", () => streams.delete(controller));
        },
        cancel: () => void streams.delete(mine),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  };

  /** `name` is the person's. */
  const setHandoff = (status: Handoff["status"], name?: string): void => {
    const handoff = { id: "handoff-1", status, ...(name === undefined ? {} : { human: { name } }) };
    if (state.conversation) state.conversation = { ...state.conversation, handoff };
    record({ type: `handoff.${status}`, seq: nextSeq(), at: AT, handoff } as LoggedEvent);
  };
  const end = () => {
    if (state.conversation) state.conversation = { ...state.conversation, status: "ended" };
    record({ type: "conversation.ended", seq: nextSeq(), at: AT, by: "customer" });
  };

  return {
    state,
    received,
    /** The calls of one route, such as "POST /api/conversation". */
    calls: (route: string) => received.filter((request) => `${request.method} ${request.path}` === route),
    /** The next calls of a route get these answers, one each; then the regular ones again. */
    script(route: string, ...answers: Answerer[]) {
      scripted.set(route, [...(scripted.get(route) ?? []), ...answers]);
    },
    /** This route's regular answer, for a script that answers late. */
    answer: (request: Received, signal: AbortSignal) =>
      routes[`${request.method} ${request.path}`]?.(request, signal) ?? problem("not_found"),
    fetch: async (target: string, init: RequestInit): Promise<Response> => {
      const { pathname: path, search: query } = new URL(target, "http://bff.example");
      const headers = new Headers(init.headers);
      const request: Received = {
        method: init.method ?? "GET",
        path,
        query,
        authorization: headers.get("authorization"),
        lastEventId: headers.get("last-event-id"),
        body: init.body ? JSON.parse(init.body as string) : {},
      };
      received.push(request);
      const route = `${request.method} ${path}`;
      const signal = init.signal ?? new AbortController().signal;
      const answer = scripted.get(route)?.shift() ?? routes[route];
      return answer ? answer(request, signal) : problem("not_found");
    },
    /** Adds an entry to the log and to all streams. */
    record,
    nextSeq,
    say: (body: string, more: Partial<Message> = {}) => {
      const message = agentMessage(nextSeq(), body, more);
      record({ type: "message.created", seq: message.seq, at: AT, message });
    },
    setHandoff,
    end,
    /** Another device of the customer has begun the next conversation. */
    goOnElsewhere() {
      if (state.conversation)
        state.conversation = { ...state.conversation, id: "conversation-2", epoch: "e2" };
    },
    /** Writes a signal that is not in the log. */
    signal: (event: ChatEvent) => write(`data: ${JSON.stringify(event)}\n\n`),
    write,
    openStreams: () => streams.size,
    cutStreams: () => {
      for (const stream of streams) stream.error(new TypeError("network error"));
      streams.clear();
    },
  };
}

export type ScriptedBff = ReturnType<typeof createScriptedBff>;
