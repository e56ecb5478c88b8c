import * as z from "zod/mini";
import { type Attachment, FILE_NAME_HEADER } from "../../shared/attachment.ts";
import {
  CSRF_HEADER,
  type DeskActionAnswer,
  type DeskAuditPage,
  type DeskConversation,
  type DeskDraft,
  type DeskEarlierPage,
  type DeskInvite,
  type DeskLinkMade,
  type DeskPerson,
  type DeskQueuePage,
  type DeskQueuePlace,
  type DeskReply,
  type DeskSession,
  type Join,
  type LinkOffer,
  type PasswordChange,
  type SetUp,
  type SignIn,
  type TeamFacts,
  type TeamFactsChange,
} from "../../shared/desk.ts";
import * as desk from "../../shared/desk-operations.ts";
import { Failure, type FailureCode, Problem } from "../../shared/errors.ts";
import type { Handoff } from "../../shared/handoff.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { attachmentTypeOf, MAGIC_BYTES } from "../../shared/magic-bytes.ts";
import type { Message } from "../../shared/message.ts";
import type { DeskOperation, ParamsOf, RequestOf } from "../../shared/operation.ts";
import type { Upload } from "../client/xhr-upload.ts";

/** The file of emoji beside the desk's page, by the build. */
declare const __PARLEY_EMOJI__: string;

const EmojiGroups = z.array(
  z.object({ name: z.string(), emoji: z.array(z.tuple([z.string(), z.string(), z.string()])) }),
);
/** Emoji of one kind: each with its name and other words for it. */
export type EmojiGroup = z.output<typeof EmojiGroups>[number];

/** Longest wait for an answer, in milliseconds; the service itself gives up after 8 s. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** The service gives an agent 60 s for a draft. */
const DRAFT_TIMEOUT_MS = 65_000;

export interface DeskClientDeps {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** Sends a file, which `fetch` can't report the progress of. */
  readonly upload: Upload;
  /** A signal that aborts after this many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
}

export type DeskClient = ReturnType<typeof createDeskClient>;

/** The ids and the body of a call, if its record has them. */
type Ask<O extends DeskOperation> = (keyof ParamsOf<O> extends never
  ? { params?: undefined }
  : { params: ParamsOf<O> }) &
  (RequestOf<O> extends undefined ? { request?: undefined } : { request: RequestOf<O> }) & {
    query?: string;
    /** Instead of the usual deadline. */
    signal?: AbortSignal;
  };

/** The meaning of a status without a problem body; any other status only means that the call was refused. */
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
 * The desk's only caller of `fetch`. Each method returns a verified answer (2xx, matching its schema and naming what
 * was asked for) or throws a `Failure`: `not_confirmed` for a 2xx that proves nothing, `support_unreachable` and
 * `support_timeout` when no answer came, the service's own code otherwise.
 */
export function createDeskClient(deps: DeskClientDeps) {
  let csrf = "";

  const fetchDesk = (path: string, init: RequestInit) =>
    deps.fetch(desk.DESK_API + path, {
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      ...init,
    });

  async function send(
    { method, path }: Pick<DeskOperation, "method" | "path">,
    params: Readonly<Record<string, string>> | undefined,
    init: RequestInit,
    query = "",
    through = fetchDesk,
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("accept", "application/json");
    if (method === "POST") {
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
      headers.set(CSRF_HEADER, csrf);
    }
    let response: Response;
    try {
      response = await through(filled(path, params) + query, { method, ...init, headers });
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      throw new Failure(isTimeout(cause) ? "support_timeout" : "support_unreachable", { cause });
    }
    if (!response.ok) throw await failureOf(response);
    return response;
  }

  /** Sends a call, and accepts only an answer whose schema and echo match. */
  async function ask<O extends DeskOperation>(operation: O, given: Ask<O>): Promise<z.output<O["answer"]>> {
    const { params, request = {}, query, signal = deps.timeout(REQUEST_TIMEOUT_MS) } = given;
    const body = operation.method === "POST" ? { body: JSON.stringify(request) } : {};
    const response = await send(operation, params, { signal, ...body }, query);
    return readVerified(operation, { params: params ?? {}, request }, response);
  }

  /** Reads an answer. @throws Failure `not_confirmed` unless its schema and its echo match */
  async function readVerified<O extends DeskOperation>(
    operation: O,
    sent: { readonly params: object; readonly request: unknown },
    response: Response,
  ): Promise<z.output<O["answer"]>> {
    let json: unknown;
    try {
      json = await response.json();
    } catch (cause) {
      throw new Failure(isTimeout(cause) ? "support_timeout" : "not_confirmed", { cause });
    }
    const answer = operation.answer.safeParse(json);
    if (!answer.success || operation.echo?.(sent as never, answer.data) === false)
      throw new Failure("not_confirmed");
    return answer.data as z.output<O["answer"]>;
  }

  async function open(asked: Promise<DeskSession>): Promise<DeskSession> {
    const session = await asked;
    csrf = session.csrf;
    return session;
  }

  return {
    session: () => open(ask(desk.readSession, {})),
    setUp: (request: z.input<typeof SetUp>) => open(ask(desk.setUp, { request })),
    signIn: (request: z.input<typeof SignIn>) => open(ask(desk.signIn, { request })),
    /** What a one-time link opens. */
    openLink: (token: string): Promise<LinkOffer> => ask(desk.openLink, { request: { token } }),
    join: (request: z.input<typeof Join>) => open(ask(desk.join, { request })),
    async changePassword(request: z.input<typeof PasswordChange>): Promise<void> {
      await ask(desk.changePassword, { request });
    },
    async people(): Promise<readonly DeskPerson[]> {
      return (await ask(desk.listPeople, {})).users;
    },
    invite: (request: z.input<typeof DeskInvite>): Promise<DeskLinkMade> =>
      ask(desk.invitePerson, { request }),
    newLink: (id: string): Promise<DeskLinkMade> => ask(desk.renewLink, { params: { id } }),
    async setDisabled(id: string, disabled: boolean): Promise<DeskPerson> {
      return (await ask(disabled ? desk.disablePerson : desk.enablePerson, { params: { id } })).user;
    },
    audit: (before?: string): Promise<DeskAuditPage> =>
      ask(desk.readAudit, before === undefined ? {} : { query: `?before=${encodeURIComponent(before)}` }),
    /** Resolves only when the service confirmed that the session is gone: with any 2xx, or with a 401. */
    async signOut(): Promise<void> {
      try {
        await send(desk.signOut, undefined, { body: "{}", signal: deps.timeout(REQUEST_TIMEOUT_MS) });
      } catch (failure) {
        if (!isSignedOut(failure)) throw failure;
      }
      csrf = "";
    },
    /** The first page of each state's rows, or the next page of one state. */
    queue: (place?: DeskQueuePlace): Promise<DeskQueuePage> =>
      ask(desk.listConversations, place ? { query: `?${new URLSearchParams(place)}` } : {}),
    read: (id: string): Promise<DeskConversation> => ask(desk.readConversation, { params: { id } }),
    /** What the same customer asked before: the newest ones, or the page after `after`. */
    earlier: (id: string, after?: string): Promise<DeskEarlierPage> =>
      ask(desk.listEarlier, {
        params: { id },
        ...(after === undefined ? {} : { query: `?${new URLSearchParams({ after })}` }),
      }),
    async take(id: string): Promise<Handoff> {
      return (await ask(desk.takeConversation, { params: { id } })).handoff;
    },
    async reopen(id: string): Promise<Handoff> {
      return (await ask(desk.reopenConversation, { params: { id } })).handoff;
    },
    async reply(id: string, request: z.input<typeof DeskReply>): Promise<Message> {
      return (await ask(desk.reply, { params: { id }, request })).message;
    },
    /** A reply as the agent would write it. It is given up when `leaving` aborts. */
    async draft(id: string, leaving: AbortSignal): Promise<DeskDraft> {
      const ending = new AbortController();
      // `AbortSignal.any` is younger than the browsers that the desk supports (docs/browsers.md).
      for (const signal of [leaving, deps.timeout(DRAFT_TIMEOUT_MS)]) {
        if (signal.aborted) ending.abort(signal.reason);
        signal.addEventListener("abort", () => ending.abort(signal.reason), { once: true });
      }
      return (await ask(desk.draftReply, { params: { id }, signal: ending.signal })).draft;
    },
    /** Stores a file for a reply; `key` is the same for each retry. It has no deadline: that depends on the network. */
    async upload(
      id: string,
      { key, file }: { readonly key: string; readonly file: File },
      signal: AbortSignal,
      onProgress: (share: number) => void,
    ): Promise<Attachment> {
      const type = await typeOf(file);
      const params = { id };
      const headers = {
        "content-type": "application/octet-stream",
        "idempotency-key": key,
        // Half a surrogate pair at the cut can't be encoded.
        [FILE_NAME_HEADER]: encodeURIComponent(file.name.slice(0, 80).toWellFormed()),
      };
      const through = (path: string, init: RequestInit) => {
        const given = Object.fromEntries(new Headers(init.headers));
        return deps.upload(desk.DESK_API + path, { headers: given, body: file, signal, onProgress });
      };
      const response = await send(desk.uploadFile, params, { headers }, "", through);
      const { attachment, received } = await readVerified(desk.uploadFile, { params, request: {} }, response);
      if (attachment.type !== type || received.size !== file.size) throw new Failure("not_confirmed");
      const { conversationId: _, ...stored } = attachment;
      return stored;
    },
    /** Reports that this person has seen everything up to `seq`. */
    async markRead(id: string, seq: number): Promise<void> {
      await ask(desk.markRead, { params: { id }, request: { seq } });
    },
    /** Reports that this person is typing to the customer. */
    async tellTyping(id: string): Promise<void> {
      await ask(desk.tellTyping, { params: { id }, request: {} });
    },
    async describeCustomer(id: string, request: TeamFactsChange): Promise<TeamFacts> {
      const { conversationId: _, ...facts } = (await ask(desk.describeCustomer, { params: { id }, request }))
        .customer;
      return facts;
    },
    /** Allows or refuses an action that the team decides about. */
    async answerAction(id: string, request: z.input<typeof DeskActionAnswer>): Promise<void> {
      await ask(desk.answerAction, { params: { id }, request });
    },
    async giveBack(id: string): Promise<Handoff> {
      return (await ask(desk.returnConversation, { params: { id } })).handoff;
    },
    async resolve(id: string): Promise<void> {
      await ask(desk.resolveConversation, { params: { id } });
    },
    /** The emoji that a person can pick: a file beside the desk's page. */
    async emoji(): Promise<readonly EmojiGroup[]> {
      let response: Response;
      try {
        response = await deps.fetch(`/desk/${__PARLEY_EMOJI__}`, {
          signal: deps.timeout(REQUEST_TIMEOUT_MS),
        });
      } catch (cause) {
        throw new Failure(isTimeout(cause) ? "support_timeout" : "support_unreachable", { cause });
      }
      if (!response.ok) throw await failureOf(response);
      return EmojiGroups.parse(await response.json());
    },
    /** Opens the live stream, which ends when `signal` aborts. The stream interprets the answer. */
    events: (signal: AbortSignal): Promise<Response> => {
      const { method, path } = desk.streamDesk;
      return fetchDesk(path, { method, signal, headers: { accept: "text/event-stream" } });
    },
  };
}

function filled(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** The file's type by its first bytes. @throws Failure before a byte is sent, for a file that is not accepted */
async function typeOf(file: File) {
  if (file.size > MAX_ATTACHMENT_BYTES) throw new Failure("file_too_large");
  const first = await file
    .slice(0, MAGIC_BYTES)
    .arrayBuffer()
    // A folder, or a file that no longer exists.
    .catch(() => new ArrayBuffer(0));
  const type = attachmentTypeOf(new Uint8Array(first));
  if (!type) throw new Failure("file_not_allowed");
  return type;
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

/** Whether a failure means that nobody is signed in here (any more). */
export function isSignedOut(failure: unknown): boolean {
  return (
    failure instanceof Failure && (failure.code === "unauthenticated" || failure.code === "session_expired")
  );
}
