import * as z from "zod/mini";
import { Attachment } from "./attachment.ts";
import {
  DeskActionAnswer,
  DeskAuditPage,
  DeskConversation,
  DeskCustomerPage,
  DeskDraft,
  DeskEarlierPage,
  DeskEvent,
  DeskInvite,
  DeskLinkMade,
  DeskPerson,
  DeskQueuePage,
  DeskRead,
  DeskReply,
  DeskSession,
  DeskTyping,
  Join,
  LinkOffer,
  LinkToken,
  PasswordChange,
  SetUp,
  SignIn,
  TeamFacts,
  TeamFactsChange,
} from "./desk.ts";
import { Handoff } from "./handoff.ts";
import { Id } from "./id.ts";
import { Message } from "./message.ts";
import { desk } from "./operation.ts";

/** Below the service's address. */
export const DESK_API = "/desk/api";

const HandoffAnswer = z.object({ handoff: Handoff });
const PersonAnswer = z.object({ user: DeskPerson });

export const readSession = desk({ method: "GET", path: "/session", access: "person", answer: DeskSession });

export const setUp = desk({
  method: "POST",
  path: "/setup",
  access: "anybody",
  request: SetUp,
  answer: DeskSession,
  status: 201,
});

export const signIn = desk({
  method: "POST",
  path: "/login",
  access: "anybody",
  request: SignIn,
  answer: DeskSession,
});

/** Any 2xx means that the session has ended. */
export const signOut = desk({ method: "POST", path: "/logout", access: "person", answer: z.unknown() });

/** Reads what a one-time link is for. */
export const openLink = desk({
  method: "POST",
  path: "/link",
  access: "anybody",
  request: LinkToken,
  answer: LinkOffer,
});

export const join = desk({
  method: "POST",
  path: "/join",
  access: "anybody",
  request: Join,
  answer: DeskSession,
  status: 201,
});

export const changePassword = desk({
  method: "POST",
  path: "/password",
  access: "person",
  request: PasswordChange,
  answer: z.object({ changed: z.literal(true) }),
});

export const listPeople = desk({
  method: "GET",
  path: "/users",
  access: "admin",
  answer: z.object({ users: z.array(DeskPerson) }),
});

export const invitePerson = desk({
  method: "POST",
  path: "/users",
  access: "admin",
  request: DeskInvite,
  answer: DeskLinkMade,
  echo: ({ request }, { person }) =>
    person.email === request.email.toLowerCase() && person.role === request.role,
  status: 201,
});

export const renewLink = desk({
  method: "POST",
  path: "/users/:id/link",
  access: "admin",
  answer: DeskLinkMade,
  echo: ({ params }, { person }) => person.id === params.id,
  status: 201,
});

export const disablePerson = desk({
  method: "POST",
  path: "/users/:id/disable",
  access: "admin",
  answer: PersonAnswer,
  echo: ({ params }, { user }) => user.id === params.id && user.state === "disabled",
});

export const enablePerson = desk({
  method: "POST",
  path: "/users/:id/enable",
  access: "admin",
  answer: PersonAnswer,
  echo: ({ params }, { user }) => user.id === params.id && user.state !== "disabled",
});

/** The page before `?before=ID`, or the newest. */
export const readAudit = desk({ method: "GET", path: "/audit", access: "admin", answer: DeskAuditPage });

export const listConversations = desk({
  method: "GET",
  path: "/conversations",
  access: "person",
  answer: DeskQueuePage,
});

export const readConversation = desk({
  method: "GET",
  path: "/conversations/:id",
  access: "person",
  answer: DeskConversation,
  echo: ({ params }, { id }) => id === params.id,
});

/** The conversations that this customer began earlier: the newest ones, or the page after `?after=NEXT`. */
export const listEarlier = desk({
  method: "GET",
  path: "/conversations/:id/earlier",
  access: "person",
  answer: DeskEarlierPage,
  echo: ({ params }, { conversationId }) => conversationId === params.id,
});

/** One customer and their conversations: the newest ones, or the page after `?after=NEXT`. */
export const readCustomer = desk({
  method: "GET",
  path: "/customers/:id",
  access: "person",
  answer: DeskCustomerPage,
  echo: ({ params }, { id }) => id === params.id,
});

/** Joins the customer, whether they asked for a person or the agent answers. */
export const takeConversation = desk({
  method: "POST",
  path: "/conversations/:id/take",
  access: "person",
  answer: HandoffAnswer,
  echo: (_, { handoff }) => handoff.status === "accepted",
});

/** Opens an ended conversation for its customer again, and takes it. */
export const reopenConversation = desk({
  method: "POST",
  path: "/conversations/:id/reopen",
  access: "person",
  answer: HandoffAnswer,
  echo: (_, { handoff }) => handoff.status === "accepted",
});

export const reply = desk({
  method: "POST",
  path: "/conversations/:id/messages",
  access: "person",
  request: DeskReply,
  answer: z.object({ message: Message }),
  echo: ({ request }, { message }) =>
    message.clientMessageId === request.clientMessageId &&
    message.role === "human" &&
    (message.attachments ?? []).map(({ id }) => id).join() ===
      (request.attachments ?? []).map(({ id }) => id).join(),
  status: 201,
});

/** Asks the conversation's agent for a reply that this person may use. Nothing is stored or sent. Ends when the caller leaves. */
export const draftReply = desk({
  method: "POST",
  path: "/conversations/:id/draft",
  access: "person",
  answer: z.object({ draft: DeskDraft }),
  echo: ({ params }, { draft }) => draft.conversationId === params.id,
});

/** A name and an address for the customer, as the team typed them. */
export const describeCustomer = desk({
  method: "POST",
  path: "/conversations/:id/customer",
  access: "person",
  request: TeamFactsChange,
  answer: z.object({ customer: z.object({ conversationId: Id, ...TeamFacts.shape }) }),
  echo: ({ params, request }, { customer }) =>
    customer.conversationId === params.id &&
    [undefined, customer.name ?? null].includes(request.name) &&
    [undefined, customer.email ?? null].includes(request.email),
});

/** Stores a file for a reply. The body is the raw file, `X-File-Name` its name, `Idempotency-Key` the key of its retries. */
export const uploadFile = desk({
  method: "POST",
  path: "/conversations/:id/attachments",
  access: "person",
  answer: z.object({
    attachment: z.object({ ...Attachment.shape, conversationId: Id }),
    received: z.object({ size: z.int() }),
  }),
  echo: ({ params }, { attachment }) => attachment.conversationId === params.id,
  status: 201,
});

/** The file itself. */
export const readFile = desk({
  method: "GET",
  path: "/conversations/:id/attachments/:attachmentId",
  access: "person",
  answer: z.unknown(),
});

export const markRead = desk({
  method: "POST",
  path: "/conversations/:id/read",
  access: "person",
  request: DeskRead,
  answer: z.object({ read: z.object({ seq: z.number() }) }),
  echo: ({ request }, { read }) => read.seq >= request.seq,
});

export const tellTyping = desk({
  method: "POST",
  path: "/conversations/:id/typing",
  access: "person",
  request: DeskTyping,
  answer: z.object({ typing: z.object({ conversationId: Id }) }),
  echo: ({ params }, { typing }) => typing.conversationId === params.id,
});

/** A person's answer to an action that the team allows. Its result is an event of the log. */
export const answerAction = desk({
  method: "POST",
  path: "/conversations/:id/actions",
  access: "person",
  request: DeskActionAnswer,
  answer: z.object({ action: z.object({ id: Id, approved: z.boolean() }) }),
  echo: ({ request }, { action }) => action.id === request.actionId && action.approved === request.approved,
});

export const returnConversation = desk({
  method: "POST",
  path: "/conversations/:id/return",
  access: "person",
  answer: HandoffAnswer,
  echo: (_, { handoff }) => handoff.status === "returned",
});

export const resolveConversation = desk({
  method: "POST",
  path: "/conversations/:id/resolve",
  access: "person",
  answer: z.object({ conversation: z.object({ id: Id, status: z.literal("ended") }) }),
  echo: ({ params }, { conversation }) => conversation.id === params.id,
});

/** Server-Sent Events without replay: on every connect the client reads the queue again. */
export const streamDesk = desk({ method: "GET", path: "/events", access: "person", answer: DeskEvent });
