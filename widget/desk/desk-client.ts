import * as z from "zod/mini";
import {
  CSRF_HEADER,
  DESK_API,
  DeskAuditPage,
  DeskConversation,
  type DeskInvite,
  DeskLinkMade,
  DeskPerson,
  type DeskReply,
  DeskSession,
  DeskSummary,
  type Join,
  LinkOffer,
  type PasswordChange,
  type SetUp,
  type SignIn,
} from "../../shared/desk.ts";
import { Failure, type FailureCode, Problem } from "../../shared/errors.ts";
import { Handoff } from "../../shared/handoff.ts";
import { Message } from "../../shared/message.ts";

/** Longest wait for an answer, in milliseconds; the service itself gives up after 8 s. */
export const REQUEST_TIMEOUT_MS = 10_000;

export interface DeskClientDeps {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** A signal that aborts after so many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
}

export type DeskClient = ReturnType<typeof createDeskClient>;

const Queue = z.object({ conversations: z.array(DeskSummary) });
const HandoffAnswer = z.object({ handoff: Handoff });
const MessageAnswer = z.object({ message: Message });
const ResolveAnswer = z.object({ conversation: z.object({ id: z.string(), status: z.literal("ended") }) });
const TypingAnswer = z.object({ typing: z.object({ conversationId: z.string() }) });
const ReadAnswer = z.object({ read: z.object({ seq: z.number() }) });

const People = z.object({ users: z.array(DeskPerson) });
const PersonAnswer = z.object({ user: DeskPerson });
const Changed = z.object({ changed: z.literal(true) });

/** What a status without a problem body says; anything else only says that it was refused. */
const CODE_OF_STATUS: Readonly<Record<number, FailureCode>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  413: "body_too_large",
  429: "rate_limited",
  502: "support_refused",
  503: "unavailable",
  504: "support_timeout",
};

async function failureOf(response: Response): Promise<Failure> {
  const problem = Problem.safeParse(await response.json().catch(() => undefined));
  if (problem.success) {
    const { code, detail, retryAfter } = problem.data;
    return new Failure(code, { detail, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }
  const retryAfter = Number(response.headers.get("retry-after"));
  return new Failure(
    CODE_OF_STATUS[response.status] ?? "support_refused",
    retryAfter > 0 ? { retryAfter } : {},
  );
}

/**
 * The desk's only caller of `fetch`. Each method gives a verified answer (2xx, the schema holds, and it names what
 * was asked for) or throws a `Failure`: `not_confirmed` for a 2xx that proves nothing, `support_unreachable` and
 * `support_timeout` when no answer came, the service's own code otherwise.
 */
export function createDeskClient(deps: DeskClientDeps) {
  let csrf = "";

  async function request(method: "GET" | "POST", path: string, init: RequestInit): Promise<Response> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (method === "POST") {
      headers["content-type"] = "application/json";
      headers[CSRF_HEADER] = csrf;
    }
    let response: Response;
    try {
      response = await deps.fetch(DESK_API + path, {
        method,
        credentials: "same-origin",
        cache: "no-store",
        redirect: "error",
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
      });
    } catch (cause) {
      throw new Failure(isTimeout(cause) ? "support_timeout" : "support_unreachable", { cause });
    }
    if (!response.ok) throw await failureOf(response);
    return response;
  }

  /** Sends and believes only what `schema` and `proves` accept. */
  async function ask<Answer>(
    method: "GET" | "POST",
    path: string,
    options: { schema: z.ZodMiniType<Answer>; body?: unknown; proves?: (answer: Answer) => boolean },
  ): Promise<Answer> {
    const signal = deps.timeout(REQUEST_TIMEOUT_MS);
    const body = method === "POST" ? { body: JSON.stringify(options.body ?? {}) } : {};
    const response = await request(method, path, { signal, ...body });
    let json: unknown;
    try {
      json = await response.json();
    } catch (cause) {
      throw new Failure(isTimeout(cause) ? "support_timeout" : "not_confirmed", { cause });
    }
    const answer = options.schema.safeParse(json);
    if (!answer.success || options.proves?.(answer.data) === false) throw new Failure("not_confirmed");
    return answer.data;
  }

  async function openSession(method: "GET" | "POST", path: string, body?: unknown): Promise<DeskSession> {
    const session = await ask(method, path, { schema: DeskSession, body });
    csrf = session.csrf;
    return session;
  }

  const at = (id: string, action = "") => `/conversations/${encodeURIComponent(id)}${action}`;

  const user = (id: string, action: string) => `/users/${encodeURIComponent(id)}${action}`;

  return {
    session: () => openSession("GET", "/session"),
    setUp: (form: z.input<typeof SetUp>) => openSession("POST", "/setup", form),
    signIn: (form: z.input<typeof SignIn>) => openSession("POST", "/login", form),
    /** What a one-time link is for. */
    openLink: (token: string): Promise<LinkOffer> =>
      ask("POST", "/link", { schema: LinkOffer, body: { token } }),
    join: (form: z.input<typeof Join>) => openSession("POST", "/join", form),
    async changePassword(form: z.input<typeof PasswordChange>): Promise<void> {
      await ask("POST", "/password", { schema: Changed, body: form });
    },
    async people(): Promise<readonly DeskPerson[]> {
      return (await ask("GET", "/users", { schema: People })).users;
    },
    invite: (form: z.input<typeof DeskInvite>): Promise<DeskLinkMade> =>
      ask("POST", "/users", {
        schema: DeskLinkMade,
        body: form,
        proves: ({ person }) => person.email === form.email.toLowerCase() && person.role === form.role,
      }),
    newLink: (id: string): Promise<DeskLinkMade> =>
      ask("POST", user(id, "/link"), { schema: DeskLinkMade, proves: ({ person }) => person.id === id }),
    async setDisabled(id: string, disabled: boolean): Promise<DeskPerson> {
      const proves = (answer: { user: DeskPerson }) =>
        answer.user.id === id && (answer.user.state === "disabled") === disabled;
      const path = user(id, disabled ? "/disable" : "/enable");
      return (await ask("POST", path, { schema: PersonAnswer, proves })).user;
    },
    audit: (before?: string): Promise<DeskAuditPage> =>
      ask("GET", `/audit${before === undefined ? "" : `?before=${encodeURIComponent(before)}`}`, {
        schema: DeskAuditPage,
      }),
    /** Resolves only when the service said that the session is gone: by a 2xx, whatever its body, or by a 401. */
    async signOut(): Promise<void> {
      try {
        await request("POST", "/logout", { body: "{}", signal: deps.timeout(REQUEST_TIMEOUT_MS) });
      } catch (failure) {
        if (!isSignedOut(failure)) throw failure;
      }
      csrf = "";
    },
    async queue(): Promise<readonly DeskSummary[]> {
      return (await ask("GET", "/conversations", { schema: Queue })).conversations;
    },
    read: (id: string): Promise<DeskConversation> =>
      ask("GET", at(id), { schema: DeskConversation, proves: (read) => read.id === id }),
    async take(id: string): Promise<Handoff> {
      const proves = (answer: { handoff: Handoff }) => answer.handoff.status === "accepted";
      return (await ask("POST", at(id, "/take"), { schema: HandoffAnswer, proves })).handoff;
    },
    async reply(id: string, reply: z.input<typeof DeskReply>): Promise<Message> {
      const proves = ({ message }: { message: Message }) =>
        message.clientMessageId === reply.clientMessageId && message.role === "human";
      const path = at(id, "/messages");
      return (await ask("POST", path, { schema: MessageAnswer, body: reply, proves })).message;
    },
    /** Says that this person has seen everything up to `seq`. */
    async markRead(id: string, seq: number): Promise<void> {
      const proves = (answer: { read: { seq: number } }) => answer.read.seq >= seq;
      await ask("POST", at(id, "/read"), { schema: ReadAnswer, body: { seq }, proves });
    },
    /** Says that this person is writing to the customer. */
    async tellTyping(id: string): Promise<void> {
      const proves = (answer: { typing: { conversationId: string } }) => answer.typing.conversationId === id;
      await ask("POST", at(id, "/typing"), { schema: TypingAnswer, proves });
    },
    async giveBack(id: string): Promise<Handoff> {
      const proves = (answer: { handoff: Handoff }) => answer.handoff.status === "returned";
      return (await ask("POST", at(id, "/return"), { schema: HandoffAnswer, proves })).handoff;
    },
    async resolve(id: string): Promise<void> {
      const proves = (answer: { conversation: { id: string } }) => answer.conversation.id === id;
      await ask("POST", at(id, "/resolve"), { schema: ResolveAnswer, proves });
    },
    /** Opens the live stream. It ends when `signal` aborts or the line breaks. */
    async events(signal: AbortSignal): Promise<Response> {
      const response = await request("GET", "/events", { signal, headers: { accept: "text/event-stream" } });
      if (response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
      await response.body?.cancel();
      throw new Failure("not_confirmed");
    },
  };
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

/** Whether a failure says that nobody is signed in here (any more). */
export function isSignedOut(failure: unknown): boolean {
  return (
    failure instanceof Failure && (failure.code === "unauthenticated" || failure.code === "session_expired")
  );
}
