import * as z from "zod/mini";
import type {
  DeskActionAnswer,
  DeskDraft,
  DeskInvite,
  DeskPerson,
  DeskQueuePlace,
  DeskReply,
  Join,
  PasswordChange,
  SetUp,
  SignIn,
  TeamFacts,
  TeamFactsChange,
} from "../../shared/desk.ts";
import * as desk from "../../shared/desk-operations.ts";
import type { Message } from "../../shared/message.ts";
import type { Upload } from "../client/xhr-upload.ts";
import { createDeskCalls, type DeskCallsDeps, isSignedOut, REQUEST_TIMEOUT_MS } from "./desk-calls.ts";
import { createReplyUpload } from "./reply-upload.ts";

/** The file of emoji beside the desk's page, by the build. */
declare const __PARLEY_EMOJI__: string;

const EmojiGroups = z.array(
  z.object({ name: z.string(), emoji: z.array(z.tuple([z.string(), z.string(), z.string()])) }),
);
/** Emoji of one kind: each with its name and other words for it. */
export type EmojiGroup = z.output<typeof EmojiGroups>[number];

/** The service checks two passwords at once, each for half a second or more, and twenty others may be waiting. */
const PASSWORD_TIMEOUT_MS = 30_000;
/** The service gives an agent 60 s for a draft. */
const DRAFT_TIMEOUT_MS = 65_000;

export interface DeskClientDeps extends DeskCallsDeps {
  /** Sends a file, which `fetch` can't report the progress of. */
  readonly upload: Upload;
}

export type DeskClient = ReturnType<typeof createDeskClient>;

/**
 * Everything that the desk asks of the service. Each method returns a verified answer (2xx, matching its schema and naming what
 * was asked for) or throws a `Failure`: `not_confirmed` for a 2xx that proves nothing, `support_unreachable` and
 * `support_timeout` when no answer came, the service's own code otherwise.
 */
export function createDeskClient(deps: DeskClientDeps) {
  const calls = createDeskCalls(deps);
  const { ask } = calls;
  const patiently = () => deps.timeout(PASSWORD_TIMEOUT_MS);

  return {
    session: () => calls.enter(ask(desk.readSession, {})),
    setUp: (request: z.input<typeof SetUp>) => calls.enter(ask(desk.setUp, { request, signal: patiently() })),
    signIn: (request: z.input<typeof SignIn>) =>
      calls.enter(ask(desk.signIn, { request, signal: patiently() })),
    /** The purpose of a one-time link. */
    openLink: (token: string) => ask(desk.openLink, { request: { token } }),
    join: (request: z.input<typeof Join>) => calls.enter(ask(desk.join, { request, signal: patiently() })),
    changePassword: (request: z.input<typeof PasswordChange>) =>
      ask(desk.changePassword, { request, signal: patiently() }),
    async people(): Promise<readonly DeskPerson[]> {
      return (await ask(desk.listPeople, {})).users;
    },
    invite: (request: z.input<typeof DeskInvite>) => ask(desk.invitePerson, { request }),
    newLink: (id: string) => ask(desk.renewLink, { params: { id } }),
    async setDisabled(id: string, disabled: boolean): Promise<DeskPerson> {
      return (await ask(disabled ? desk.disablePerson : desk.enablePerson, { params: { id } })).user;
    },
    audit: (before?: string) => ask(desk.readAudit, { query: { before } }),
    /** Resolves only when the service confirmed that the session is gone: with any 2xx, or with a 401. */
    async signOut(): Promise<void> {
      try {
        await calls.send(desk.signOut, { body: "{}", signal: deps.timeout(REQUEST_TIMEOUT_MS) });
      } catch (failure) {
        if (!isSignedOut(failure)) throw failure;
      }
      calls.leave();
    },
    /** The first page of each state's rows, or the next page of one state. */
    queue: (place?: DeskQueuePlace) => ask(desk.listConversations, { query: { ...place } }),
    read: (id: string) => ask(desk.readConversation, { params: { id } }),
    /** The same customer's earlier conversations: the newest ones, or the page after `after`. */
    earlier: (id: string, after?: string) => ask(desk.listEarlier, { params: { id }, query: { after } }),
    /** One customer with their newest conversations, or those after `after`. */
    customer: (id: string, after?: string) => ask(desk.readCustomer, { params: { id }, query: { after } }),
    take: (id: string) => ask(desk.takeConversation, { params: { id } }),
    reopen: (id: string) => ask(desk.reopenConversation, { params: { id } }),
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
    /** Stores a file for a reply. */
    upload: createReplyUpload(calls, deps.upload),
    /** Reports that this person has seen everything up to `seq`. */
    markRead: (id: string, seq: number) => ask(desk.markRead, { params: { id }, request: { seq } }),
    /** Reports that this person is typing to the customer. */
    tellTyping: (id: string) => ask(desk.tellTyping, { params: { id }, request: {} }),
    async describeCustomer(id: string, request: TeamFactsChange): Promise<TeamFacts> {
      const { conversationId: _, ...facts } = (await ask(desk.describeCustomer, { params: { id }, request }))
        .customer;
      return facts;
    },
    /** Allows or refuses an action that the team decides about. */
    answerAction: (id: string, request: z.input<typeof DeskActionAnswer>) =>
      ask(desk.answerAction, { params: { id }, request }),
    giveBack: (id: string) => ask(desk.returnConversation, { params: { id } }),
    resolve: (id: string) => ask(desk.resolveConversation, { params: { id } }),
    /** The emoji that a person can pick: a file beside the desk's page. */
    async emoji(): Promise<readonly EmojiGroup[]> {
      return EmojiGroups.parse(await (await calls.fetchFile(`/desk/${__PARLEY_EMOJI__}`)).json());
    },
    /** Opens the live stream, which ends when `signal` aborts. The stream interprets the answer. */
    events: (signal: AbortSignal): Promise<Response> => {
      const { method, path } = desk.streamDesk;
      return calls.fetchDesk(path, { method, signal, headers: { accept: "text/event-stream" } });
    },
  };
}
