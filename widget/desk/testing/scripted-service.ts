import * as z from "zod/mini";
import type {
  DeskConversation,
  DeskCustomerPage,
  DeskEvent,
  DeskPerson,
  LinkOffer,
} from "../../../shared/desk.ts";
import { DESK_API } from "../../../shared/desk-operations.ts";
import { Failure, type FailureCode, PROBLEM_MEDIA_TYPE, problemOf } from "../../../shared/errors.ts";
import type { Message } from "../../../shared/message.ts";
import type { PastConversation } from "../../../shared/v1/history.ts";
import { at, BEN, rowOf, SAM, waiting } from "./samples.ts";
import { createScriptedPeople } from "./scripted-people.ts";

export interface Call {
  readonly route: string;
  readonly body: unknown;
  readonly headers: Headers;
  readonly signal: AbortSignal | null | undefined;
}

type Answer = (call: Call) => Response | Promise<Response>;

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

export function problem(code: FailureCode, more: { detail?: string; retryAfter?: number } = {}): Response {
  const failure = new Failure(code, more);
  return new Response(JSON.stringify(problemOf(failure, "req_1")), {
    status: failure.status,
    headers: { "content-type": PROBLEM_MEDIA_TYPE },
  });
}

/** Answers of a proxy, a broken service or the network that prove nothing. */
export const FAULTS: Readonly<Record<string, Answer>> = {
  "200 without a body": () => new Response(null, { status: 200 }),
  "200 {}": () => json({}),
  "200 null": () => json(null),
  "200 HTML": () => new Response("<!doctype html><h1>OK</h1>", { headers: { "content-type": "text/html" } }),
  "200 cut off": () =>
    new Response('{"message":{"id":"m', { headers: { "content-type": "application/json" } }),
  "202 {}": () => json({}, 202),
  "204": () => new Response(null, { status: 204 }),
  "400 problem": () => problem("bad_request"),
  "409 problem": () => problem("handoff_unavailable", { detail: "Mira Chen has taken this conversation." }),
  "500 problem": () => problem("internal"),
  "500 text": () => new Response("Sent! Everything is fine.", { status: 500 }),
  "503 problem": () => problem("unavailable"),
  "a broken line": () => Promise.reject(new TypeError("Failed to fetch")),
  "no answer in time": () => Promise.reject(new DOMException("The operation timed out.", "TimeoutError")),
};

const EARLIER_PAGE = 2;

/** The file of emoji, with a row and a half in its first group. */
const EMOJI = [
  {
    name: "Smileys & Emotion",
    emoji: Array.from({ length: 12 }, (_, at) => [`🙂${at}`, `face ${at}`, "smile happy"]),
  },
  { name: "Objects", emoji: [["💡", "light bulb", "idea electricity lamp"]] },
];

/**
 * The desk's API at the level of `fetch`, with one conversation in memory. Every answer matches the schemas until a
 * test changes it with `script`.
 */
export function createScriptedService() {
  const calls: Call[] = [];
  const scripts = new Map<string, Answer[]>();
  const lines = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  const state = {
    signedIn: true,
    epoch: "first",
    user: SAM,
    conversations: [waiting()] as DeskConversation[],
    /** The earlier conversations of each conversation's customer. */
    earlier: [] as PastConversation[],
    /** The pages of customers, without pages of pages. */
    customers: [] as DeskCustomerPage[],
    people: [{ ...SAM, state: "active" }, BEN] as DeskPerson[],
    offer: { purpose: "first" } as LinkOffer,
  };
  const admin = createScriptedPeople(state);

  const find = (id: string) => {
    const found = state.conversations.find((conversation) => conversation.id === id);
    if (!found) throw new Failure("not_found");
    return found;
  };
  const change = (id: string, to: Partial<DeskConversation>): DeskConversation => {
    const changed = { ...find(id), ...to };
    state.conversations = state.conversations.map((each) => (each.id === id ? changed : each));
    return changed;
  };
  const push = (event: DeskEvent) => {
    for (const line of lines) line.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
  };

  const act: Record<string, (id: string, call: Call) => Response> = {
    take(id) {
      const handoff = { id: "hnd_1", status: "accepted" as const, human: { name: state.user.name } };
      change(id, { state: "taken", handoff, takenBy: { id: state.user.id, name: state.user.name } });
      return json({ handoff });
    },
    return(id) {
      const handoff = { id: "hnd_1", status: "returned" as const };
      const { takenBy: _, ...rest } = change(id, { state: "agent", handoff });
      state.conversations = [rest];
      return json({ handoff });
    },
    reopen(id) {
      const handoff = { id: "hnd_2", status: "accepted" as const, human: { name: state.user.name } };
      const takenBy = { id: state.user.id, name: state.user.name };
      change(id, { state: "taken", status: "open", handoff, takenBy });
      return json({ handoff });
    },
    read(id, call) {
      const { seq } = call.body as { seq: number };
      change(id, { seenSeq: seq });
      return json({ read: { seq } });
    },
    customer(id, call) {
      const typed = z.record(z.string(), z.nullable(z.string())).parse(call.body);
      const facts = { ...find(id).customer.team, ...typed };
      const team = {
        ...(facts.name ? { name: facts.name } : {}),
        ...(facts.email ? { email: facts.email } : {}),
      };
      change(id, { customer: { ...find(id).customer, team } });
      return json({ customer: { conversationId: id, ...team } });
    },
    typing: (id) => json({ typing: { conversationId: find(id).id } }),
    resolve(id) {
      change(id, { state: "ended", status: "ended" });
      return json({ conversation: { id, status: "ended" } });
    },
    messages(id, call) {
      return json({ message: append(id, call.body as { clientMessageId: string; body: string }) }, 201);
    },
  };

  function append(id: string, reply: { clientMessageId: string; body: string }): Message {
    const { messages, lastSeq } = find(id);
    const known = messages.find((message) => message.clientMessageId === reply.clientMessageId);
    if (known) return known;
    const seq = lastSeq + 1;
    const message: Message = {
      id: `msg_${seq}`,
      seq,
      role: "human",
      at: at(seq),
      author: { name: state.user.name },
      ...reply,
    };
    change(id, { messages: [...messages, message], lastSeq: seq });
    return message;
  }

  function openLine(signal: AbortSignal | null | undefined): Response {
    const body = new ReadableStream<Uint8Array>({
      start(line) {
        lines.add(line);
        line.enqueue(encoder.encode(": \n\n"));
        signal?.addEventListener("abort", () => {
          if (lines.delete(line)) line.error(new DOMException("aborted", "AbortError"));
        });
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  function answer(call: Call, init: RequestInit): Response {
    const { route, body } = call;
    if (route === "POST /link") return json(state.offer);
    if (route === "POST /login" || route === "POST /setup" || route === "POST /join") {
      state.signedIn = true;
      return json({ user: state.user, csrf: "csrf_1" });
    }
    if (!state.signedIn) return problem("session_expired");
    if (route === "GET /session") return json({ user: state.user, csrf: "csrf_1" });
    if (route === "POST /logout") {
      state.signedIn = false;
      return json({ revoked: true });
    }
    if (route === "POST /password") return json({ changed: true });
    const ofPeople = admin(route, body);
    if (ofPeople) return ofPeople;
    if (route === "GET /events") return openLine(init.signal);
    if (route === "GET /conversations") {
      const { conversations, epoch } = state;
      return json({ conversations: conversations.map((each) => rowOf(each)), next: [], epoch });
    }
    const [, of, after = "0"] = /^GET \/conversations\/([^/]+)\/earlier(?:\?after=(\d+))?$/.exec(route) ?? [];
    if (of !== undefined) {
      const end = Number(after) + EARLIER_PAGE;
      const conversations = state.earlier.slice(Number(after), end);
      const more = end < state.earlier.length ? { next: String(end) } : {};
      return json({ conversationId: find(of).id, conversations, ...more });
    }
    const [, asked] = /^GET \/customers\/([^/?]+)$/.exec(route) ?? [];
    if (asked !== undefined) {
      const page = state.customers.find((each) => each.id === asked);
      return page ? json(page) : problem("not_found");
    }
    const [, method, id = "", action] = /^(\w+) \/conversations\/([^/]+)(?:\/(\w+))?$/.exec(route) ?? [];
    if (method === "GET" && !action) return json(find(id));
    const run = method === "POST" && action ? act[action] : undefined;
    return run ? run(id, { ...call, body }) : problem("not_found");
  }

  return {
    state,
    calls,
    /** How many event streams are open. */
    openLines: () => lines.size,
    push,
    /** Breaks every open event stream, as a network does. */
    breakLines(): void {
      for (const line of lines) {
        lines.delete(line);
        line.error(new TypeError("network error"));
      }
    },
    append,
    change,
    /**
     * The next calls of `route` (such as `POST /conversations/cnv_ana/take`) get these answers, one each; then the
     * regular ones again.
     */
    script(route: string, ...answers: Answer[]): void {
      scripts.set(route, [...(scripts.get(route) ?? []), ...answers]);
    },
    callsOf: (route: string) => calls.filter((call) => call.route === route),
    fetch: async (path: string, init: RequestInit): Promise<Response> => {
      const isCall = path.startsWith(DESK_API);
      const route = isCall ? `${init.method} ${path.slice(DESK_API.length)}` : `GET ${path}`;
      const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
      const call = { route, body, headers: new Headers(init.headers), signal: init.signal };
      calls.push(call);
      const scripted = scripts.get(route)?.shift();
      if (scripted) return scripted(call);
      if (!isCall) return json(EMOJI);
      try {
        return answer(call, init);
      } catch (failure) {
        if (failure instanceof Failure) return problem(failure.code);
        throw failure;
      }
    },
  };
}
