import type { Attachment } from "../../shared/attachment.ts";
import type { Conversation, Mark } from "../../shared/conversation.ts";
import type { DeskConversation, DeskSummary } from "../../shared/desk.ts";
import type { DurableEvent } from "../../shared/event.ts";
import type { Handoff } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";
import type { Rating } from "../../shared/rating.ts";
import type { Route } from "../../shared/route.ts";
import type { Traits } from "../../shared/traits.ts";
import type { DeskPeopleStore } from "./people-store.ts";

/** Whom a verified session speaks for. Every look-up carries both, so a foreign id finds nothing. */
export interface Owner {
  readonly workspaceId: string;
  readonly customerId: string;
}

/** What a workspace offers; a list that is absent means everything the process has. */
export interface Enabled {
  readonly channels?: readonly string[];
  readonly agentProviders?: readonly string[];
  readonly humanHandoffAdapters?: readonly string[];
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly enabled: Enabled;
}

export interface Credential {
  readonly id: string;
  readonly label: string;
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
}

export interface WorkspaceStore {
  /** @throws Failure `bad_request` when the name is taken */
  create(workspace: { name: string; publicKey: string; enabled?: Enabled }): Promise<Workspace>;
  list(): Promise<Workspace[]>;
  find(id: string): Promise<Workspace | undefined>;
}

/** Application credentials: only their hash is here. At most two of a workspace live at a time. */
export interface CredentialStore {
  /** @throws Failure `bad_request` when two live already, `not_found` when the workspace is missing */
  add(credential: { workspaceId: string; hash: string; label: string }): Promise<Credential>;
  /** Adds one and ends what is named: all with a label, or one by id, or all but the newest. In one transaction. */
  replace(
    credential: { workspaceId: string; hash: string; label: string },
    ends: { label: string } | { id: string } | "older",
  ): Promise<Credential>;
  list(workspaceId: string): Promise<Credential[]>;
  /** False when there is no such live credential. */
  revoke(workspaceId: string, id: string): Promise<boolean>;
  /** The workspace of a live credential. */
  findWorkspace(hash: string): Promise<Workspace | undefined>;
}

export interface Profile {
  readonly externalId: string;
  readonly email?: string | undefined;
  readonly displayName?: string | undefined;
  readonly attributes?: Traits | undefined;
}

export interface CustomerStore {
  /** Creates or updates by `externalId`. What is absent stays; traits are merged by name. @throws Failure `bad_request` over 50 traits */
  upsert(workspaceId: string, profile: Profile): Promise<{ id: string; externalId: string }>;
  keepSelection(
    owner: Owner,
    selection: { sessionId: string; route: Route; locale: string | undefined },
  ): Promise<void>;
  /** This session's last selection, or else the customer's newest. */
  findSelection(
    owner: Owner,
    sessionId: string,
  ): Promise<{ route: Route; locale: string | undefined } | undefined>;
}

/** A key that makes a repeated request one: same key and body give the first answer again. */
export interface Idempotency {
  readonly key: string;
  readonly bodyHash: string;
}

/** What an agent had said when it was interrupted; kept as an incomplete message. */
export interface PartialAnswer {
  readonly turnSeq: number;
  readonly message: Omit<Message, "seq" | "at">;
}

/** Asked inside the transaction, so that no word of the agent can fall between. */
export type ReadPartial = () => PartialAnswer | undefined;

export interface StartedConversation extends Conversation {
  readonly status: "open" | "ended";
  readonly startedAt: string;
  readonly route: Route;
}

export interface NewTurn {
  readonly clientMessageId: string;
  readonly body: string;
  /** Ids of files that were uploaded into this conversation. */
  readonly attachments?: readonly string[];
}

export interface Transcript {
  readonly conversation: Conversation;
  readonly messages: Message[];
  readonly marks: Mark[];
  readonly lastSeq: number;
}

export interface Turn {
  readonly message: Message;
  /** The id that the agent's answer has or will have; undefined when no agent was asked. */
  readonly answerId: string | undefined;
}

/** Every call: @throws Failure `not_found` for a missing and for a foreign id alike */
export interface ConversationStore {
  /** @throws Failure `key_reused`, `unauthenticated` when the customer is gone */
  start(
    owner: Owner,
    conversation: { subject: string | undefined; route: Route; locale: string | undefined },
    idempotency: Idempotency | undefined,
  ): Promise<StartedConversation>;
  /** What was said of it last; the same once more changes nothing. */
  rate(owner: Owner, id: string, rating: Rating): Promise<Rating>;
  /** The customer has seen everything up to `seq`; gives how far they have seen. */
  markRead(owner: Owner, id: string, seq: number): Promise<number>;
  /** The log after a position, at most `limit` events, with the newest seq there is. */
  readEvents(
    owner: Owner,
    id: string,
    after: number,
    limit: number,
  ): Promise<{
    events: DurableEvent[];
    lastSeq: number;
    workspaceId: string;
    read: Conversation["read"];
  }>;
  readTranscript(owner: Owner, id: string, after: number): Promise<Transcript>;
  /** @throws Failure `conversation_ended`, `key_reused`, `file_gone` */
  addTurn(owner: Owner, id: string, turn: NewTurn): Promise<Turn>;
  /** Ends it; once more is the same. */
  end(owner: Owner, id: string, readPartial: ReadPartial): Promise<{ id: string; status: "ended" }>;
}

export interface NewFile {
  /** As the sender wrote it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly idempotencyKey: string | undefined;
}

export interface KeptFile {
  readonly attachment: Attachment & { readonly conversationId: string };
  /** What came, before anything was taken out of it. */
  readonly received: { readonly size: number; readonly sha256: string };
}

export interface OpenedFile {
  readonly attachment: Attachment;
  /** Bytes of the body. */
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
}

/** Every call: @throws Failure `not_found` for a missing and for a foreign id alike, `unavailable` */
export interface AttachmentStore {
  /** Resolves once the file and its row are on disk. @throws Failure `conversation_ended`, `file_too_large`, `file_not_allowed`, `too_many_files`, `key_reused`, `storage_full` */
  add(owner: Owner, conversationId: string, file: NewFile): Promise<KeptFile>;
  open(owner: Owner, conversationId: string, id: string): Promise<OpenedFile>;
  /** Only what was sent. */
  openForDesk(target: DeskTarget, id: string): Promise<OpenedFile>;
  /** Removes what was never sent, and pieces of uploads that broke off; gives how many. */
  sweep(): Promise<number>;
}

export interface PendingAnswer {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly turnSeq: number;
  readonly answerId: string;
  readonly attempts: number;
  readonly agentProvider: string;
  readonly locale: string | undefined;
  /** The conversation up to and with the question, which is the last. */
  readonly messages: readonly Message[];
}

/** Turns that an agent still owes an answer: they survive a kill, and are answered after the next start. */
export interface AnswerStore {
  /** The oldest of one conversation. */
  next(conversationId: string): Promise<PendingAnswer | undefined>;
  isPending(conversationId: string, turnSeq: number): Promise<boolean>;
  /** Keeps the answer, once, unless a person was asked or the conversation ended meanwhile. */
  finish(
    pending: { conversationId: string; turnSeq: number },
    message: Omit<Message, "seq" | "at">,
  ): Promise<Message | undefined>;
  /** Counts one more attempt on everything pending, and names the conversations. For the start of the process. */
  retryAll(): Promise<string[]>;
}

export interface HandoffRequest {
  readonly conversationId: string;
  readonly reason: string | undefined;
  readonly currentIntent: string | undefined;
  readonly transcript: string | undefined;
}

export interface HandoffStore {
  /** What asking would meet: the adapter of the route, and the handoff that is open already. @throws Failure `not_found`, `conversation_ended` */
  check(
    owner: Owner,
    conversationId: string,
    idempotency: Idempotency | undefined,
  ): Promise<{ adapter: string | undefined; open: Handoff | undefined; replay: Handoff | undefined }>;
  /** Commits at once. A handoff that is open already is given back with `created: false`. @throws Failure as `check`, `key_reused`, `in_flight` */
  request(
    owner: Owner,
    /** Without an adapter nothing was prepared: then only an open handoff can be given back. */
    request: HandoffRequest & { adapter: string | undefined },
    idempotency: Idempotency | undefined,
    readPartial: ReadPartial,
  ): Promise<{ handoff: Handoff; created: boolean }>;
}

/** A person of the team, as the actions of the desk know them. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

export interface DeskTarget {
  readonly workspaceId: string;
  readonly conversationId: string;
}

/**
 * What people do. Each action appends its event to the customer's log and a row to the audit log in one transaction.
 * @throws Failure `not_found` for a missing and for another workspace's conversation alike; `conversation_ended`
 */
export interface DeskStore {
  /** The queue: who waits first (longest first), then taken, then with the agent, then ended; at most 200. */
  listDeskConversations(workspaceId: string): Promise<DeskSummary[]>;
  readDeskSummary(target: DeskTarget): Promise<DeskSummary | undefined>;
  readDeskConversation(target: DeskTarget): Promise<DeskConversation | undefined>;
  /** Takes it; a second time by the same person is the same. @throws Failure `handoff_unavailable` when nobody asked */
  acceptHandoff(
    target: DeskTarget,
    person: Person,
  ): Promise<{ taken: true; handoff: Handoff } | { taken: false; by: Person }>;
  /** Only by who has taken it. @throws Failure `forbidden`, `key_reused` */
  replyAsHuman(
    target: DeskTarget,
    person: Person,
    reply: { clientMessageId: string; body: string },
  ): Promise<Message>;
  /** A person has seen everything up to `seq`; gives how far they have seen. */
  markReadByHuman(target: DeskTarget, seq: number): Promise<number>;
  /** Only by who has taken it; once more is the same. @throws Failure `forbidden` */
  returnToAgent(target: DeskTarget, person: Person): Promise<Handoff>;
  /** Ends the conversation; once more is the same. @throws Failure `forbidden` when another person has taken it */
  resolveConversation(
    target: DeskTarget,
    person: Person,
    /** What the agent was saying, where it may have been. */
    readPartial?: ReadPartial,
  ): Promise<{ id: string; status: "ended" }>;
}

export interface DeskUserRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly name: string;
  /** Undefined while the person has not used their link: nothing opens such an account. */
  readonly passwordHash: string | undefined;
  readonly role: "agent" | "admin";
}

export interface DeskSessionRecord {
  readonly hash: string;
  readonly csrfHash: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  readonly user: DeskUserRecord;
}

/** Who may sit at the desk. Times are milliseconds since 1970; e-mail addresses come in lower case. */
export interface DeskAccountStore {
  countUsers(workspaceId: string): Promise<number>;
  /** Nobody who is disabled. */
  findUserByEmail(workspaceId: string, email: string): Promise<DeskUserRecord | undefined>;
  /** @throws Failure `bad_request` when the address is taken */
  addUser(user: Omit<DeskUserRecord, "id">): Promise<DeskUserRecord>;
  /** @throws Failure `unauthenticated` when the account was disabled, or its password changed, since it was looked at */
  addSession(
    session: Omit<DeskSessionRecord, "user"> & { userId: string; passwordHash: string | undefined },
  ): Promise<void>;
  /** No session of somebody who is disabled. */
  findSession(hash: string): Promise<DeskSessionRecord | undefined>;
  touchSession(hash: string, seenAt: number): Promise<void>;
  removeSession(hash: string): Promise<void>;
  /** A new one-time set-up secret; earlier ones of the workspace that were not used are dead. */
  replaceSetup(setup: { hash: string; workspaceId: string; expiresAt: number }): Promise<void>;
  /** Whether the secret would still set up the first account. */
  isSetup(hash: string): Promise<boolean>;
  /** Uses the secret and adds the first admin in one transaction. Undefined when the secret is wrong, old, used, or somebody is there already. */
  setUpFirstUser(
    hash: string,
    user: { email: string; name: string; passwordHash: string },
  ): Promise<DeskUserRecord | undefined>;
  audit(entry: {
    workspaceId: string;
    userId: string | undefined;
    action: string;
    target: string | undefined;
  }): Promise<void>;
}

/** What an erasure did, as it was verified. */
export interface Erased {
  readonly conversations: number;
  /**
   * Whether no copy is left in the database or its write-ahead log. False says that pieces may still lie there, until
   * `compact`: the database is large, another process reads from it, or the disk has no room.
   */
  readonly overwritten: boolean;
}

/** Everything that is kept of one customer, as JSON. */
export interface CustomerExport {
  readonly customer: Readonly<Record<string, unknown>>;
  readonly selections: readonly Readonly<Record<string, unknown>>[];
  readonly conversations: readonly Readonly<Record<string, unknown>>[];
}

/** Works on a full disk as well. Every call: @throws Failure `not_found`, `unavailable` */
export interface ErasureStore {
  /** One conversation with its events, files, keys, handoffs and the answers to its repeated requests; again is the same. */
  eraseConversation(owner: Owner, id: string): Promise<Erased>;
  /** The customer and everything that is theirs. */
  eraseCustomer(workspaceId: string, externalId: string): Promise<Erased>;
  exportCustomer(workspaceId: string, externalId: string): Promise<CustomerExport>;
  /**
   * Writes the whole database anew, so that no copy of a deleted row is left between the rows of others: the last step of
   * an erasure, which a small database needs no call for. Everything else waits for so long (about a second for 200 MB). False while another process reads the
   * older pages. @throws Failure `storage_full`, `unavailable`
   */
  compact(): Promise<boolean>;
}

/** Everything that the service keeps. A promise of a write resolves only after its commit is on disk. */
export interface Store {
  readonly workspaces: WorkspaceStore;
  readonly credentials: CredentialStore;
  readonly customers: CustomerStore;
  readonly conversations: ConversationStore;
  readonly attachments: AttachmentStore;
  readonly answers: AnswerStore;
  readonly handoffs: HandoffStore;
  readonly desk: DeskStore;
  readonly deskAccounts: DeskAccountStore;
  readonly deskPeople: DeskPeopleStore;
  readonly erasure: ErasureStore;
  /** Changes when the log itself was replaced: positions of another epoch mean nothing. */
  readonly epoch: string;
  /** Writes for real and commits. @throws Failure `storage_full`, `unavailable` */
  probe(): Promise<void>;
  close(): Promise<void>;
}
