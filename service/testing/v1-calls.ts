import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import type { V1Operation } from "../../shared/operation.ts";
import { V1_CONTRACT, type V1Id } from "../../shared/v1/contract.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { png } from "./files.ts";
import type { TestService } from "./test-service.ts";

/**
 * The objects of an operation's valid call: a customer of `externalId` "ann", with a conversation that has a file and
 * an answered message.
 */
export interface CallPlace {
  readonly credential: string;
  readonly publicKey: string;
  readonly token: string;
  readonly conversationId: string;
  readonly attachmentId: string;
  /** The agent's message. */
  readonly answerId: string;
  /** The open request for a person; empty if the call needs none. */
  readonly handoffId: string;
}

type Body = (place: CallPlace) => Readonly<Record<string, unknown>>;

/** The smallest valid body of each operation that has one. */
const BODIES: Readonly<Record<V1Id, Body | undefined>> = {
  identify: () => ({ externalId: "ann" }),
  sessions: () => ({ externalId: "ann" }),
  providerSelection: () => ({ userID: "ann" }),
  supportSelection: () => ({ userID: "ann" }),
  conversations: () => ({}),
  handoffs: ({ conversationId }) => ({ conversationId }),
  proposeSummary: undefined,
  sendSummary: ({ handoffId }) => ({ handoffId, text: "My lamp is broken." }),
  endConversation: undefined,
  capabilities: undefined,
  turns: () => ({ clientMessageId: "call", content: { body: "Hello", format: "plain" } }),
  messages: undefined,
  history: undefined,
  search: () => ({ text: "hello" }),
  reopen: undefined,
  events: undefined,
  attachments: undefined,
  attachmentContent: undefined,
  feedback: ({ answerId }) => ({ messageId: answerId, score: "up" }),
  ratings: () => ({ score: "up" }),
  contacts: () => ({ email: null }),
  reads: () => ({ seq: 1 }),
  typing: () => ({}),
  eraseConversation: undefined,
  link: () => ({ externalId: "anon_1", linkedTo: "ann" }),
  actionApprovals: () => ({ actionId: "none", approved: true }),
};

export interface V1Call {
  readonly operation: V1Operation;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** A raw body in place of `body`. */
  readonly raw?: BodyInit | undefined;
}

/** The valid call of one operation. */
export function callOf(id: V1Id, place: CallPlace): V1Call {
  const operation: V1Operation = operationOf(id);
  const bearers = { application: place.credential, session: place.token, none: undefined };
  const bearer = bearers[operation.auth];
  const body = BODIES[id]?.(place);
  return {
    operation,
    path: operation.path.replace(":id", place.conversationId).replace(":attachmentId", place.attachmentId),
    headers: {
      "x-public-key": place.publicKey,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body ? { "content-type": "application/json" } : {}),
      ...(operation.upload ? { [FILE_NAME_HEADER]: "picture.png" } : {}),
    },
    body,
    raw: operation.upload ? png() : undefined,
  };
}

export function operationOf(id: V1Id) {
  const found = V1_CONTRACT.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}

/** Sends a call. A stream or a file is cancelled, because it is enough that it was opened. */
export async function send(
  t: TestService,
  { operation, path, headers, body, raw }: V1Call,
): Promise<Response> {
  const sent = raw ?? (body ? JSON.stringify(body) : undefined);
  const answer = await t.request(path, {
    method: operation.method,
    headers,
    ...(sent === undefined ? {} : { body: sent, duplex: "half" }),
  } as RequestInit);
  if (!/^application\/(problem\+)?json/.test(answer.headers.get("content-type") ?? ""))
    await answer.body?.cancel();
  return answer;
}

/** A place for a call: everything in it is new, except for the customer. */
export async function openPlace(t: TestService): Promise<CallPlace> {
  const ann = await t.customer("ann");
  const conversationId = await ann.start();
  const { id } = await ann.upload(conversationId, png());
  await ann.say(conversationId, "Hello");
  await t.service.settled();
  const answer = (await ann.transcript(conversationId)).messages.find(({ role }) => role === "agent");
  const { credential, publicKey } = t.workspace;
  return {
    credential,
    publicKey,
    token: ann.token,
    conversationId,
    attachmentId: id,
    answerId: answer?.id ?? "",
    handoffId: "",
  };
}

/** The same as one operation needs it: a visitor's conversation to link, or a request for a person. */
export async function openPlaceOf(id: V1Id, t: TestService): Promise<CallPlace> {
  const place = await openPlace(t);
  if (id === "link") return { ...place, conversationId: await (await t.customer("anon_1")).start() };
  if (id !== "proposeSummary" && id !== "sendSummary") return place;
  const asked = await send(t, callOf("handoffs", place));
  return { ...place, handoffId: requestHandoff.answer.parse(await asked.json()).handoff.id };
}
