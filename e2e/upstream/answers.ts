import { Failure, type FailureCode, problemOf } from "../../shared/errors.ts";
import type { Handoff } from "../../shared/handoff.ts";
import { CAPABILITIES, type Endpoint, type Kind } from "./endpoint.ts";
import { planErasure, planRating, planUpload } from "./files.ts";
import type { StoredConversation, UpstreamState } from "./state.ts";
import { scriptFor, type TurnScript } from "./turn-script.ts";

/** A request that passed the strict checks. `body` has the shape of its operation. */
export interface Call {
  readonly endpoint: Endpoint;
  readonly externalId: string;
  readonly conversation: StoredConversation | undefined;
  readonly body: Record<string, unknown>;
  readonly idempotencyKey: string | undefined;
  readonly accept: string;
  readonly after: number;
  /** The body, where it is a file, with its name as it came. */
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly fileId: string | undefined;
}

/** What a healthy service answers, and what it then has done. Nothing is done before `commit`. */
export interface Planned {
  readonly status: number;
  readonly body: unknown;
  readonly commit: () => void;
  /** A turn's stream in place of the body. */
  readonly script?: TurnScript;
  /** A file in place of the body. */
  readonly file?: { readonly type: string; readonly bytes: Uint8Array };
}

const nothing = () => undefined;
/** The whole service refuses in our own form, the smaller ones in words that nobody promised. */
function refusal(kind: Kind, code: FailureCode): Planned {
  const failure = new Failure(code);
  const body = kind === "full" ? problemOf(failure, "mock") : { message: "refused" };
  return { status: failure.status, body, commit: nothing };
}
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Plans the healthy answer of one call. */
export function planAnswer(kind: Kind, state: UpstreamState, call: Call): Planned {
  const repeated = findRepeated(kind, state, call);
  if (repeated) return repeated;
  switch (call.endpoint) {
    case "identify":
      return {
        status: 200,
        body: { customer: { externalId: call.body["externalId"] } },
        commit: () => state.customers.set(text(call.body["externalId"]), call.body),
      };
    case "sessions":
      return planSession(state, call);
    case "providerSelection":
      return planned(200, { provider: "assistant", reason: "default", ttlSeconds: 60 });
    case "supportSelection":
      return planned(200, {
        channel: call.body["channel"] ?? "chat",
        agentProvider: call.body["agentProvider"] ?? "assistant",
        humanHandoffAdapter: call.body["humanHandoffAdapter"] ?? "desk",
        reason: "default",
        ttlSeconds: 60,
      });
    case "capabilities":
      return planned(200, { capabilities: CAPABILITIES[kind] });
    case "conversations":
      return planConversation(state, call);
    default:
      return call.conversation
        ? planInConversation(kind, state, call, call.conversation)
        : refusal(kind, "not_found");
  }
}

function planned(status: number, body: unknown, commit: () => void = nothing): Planned {
  return { status, body, commit };
}

/** The same key with the same body gives the first answer again, with another body 422 (contract). */
function findRepeated(kind: Kind, state: UpstreamState, call: Call): Planned | undefined {
  if (!CAPABILITIES[kind]?.includes("idempotency") || call.idempotencyKey === undefined) return undefined;
  const known = state.keys.get(keyOf(call));
  if (!known) return undefined;
  if (known.body !== JSON.stringify(call.body)) return refusal(kind, "key_reused");
  return planned(201, known.answer);
}

function keyOf(call: Call): string {
  return `${call.endpoint} ${call.externalId} ${call.idempotencyKey}`;
}

function keep(state: UpstreamState, call: Call, answer: unknown): void {
  if (call.idempotencyKey === undefined) return;
  state.keys.set(keyOf(call), { body: JSON.stringify(call.body), answer });
}

function planSession(state: UpstreamState, call: Call): Planned {
  const externalId = text(call.body["externalId"]);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const payload = part({ workspaceId: "ws_mock", sub: externalId });
  const token = `${part({ alg: "HS256" })}.${payload}.${state.newId("st")}`;
  return planned(201, { token, expiresIn: 900 }, () => {
    state.tokens.set(token, externalId);
    state.customers.set(externalId, call.body);
  });
}

function planConversation(state: UpstreamState, call: Call): Planned {
  const id = state.newId("conv");
  const subject = call.body["subject"];
  const answer = { conversation: { id, status: "open", startedAt: new Date().toISOString() } };
  return planned(201, answer, () => {
    const conversation: StoredConversation = {
      id,
      externalId: call.externalId,
      subject: typeof subject === "string" ? subject : undefined,
      status: "open",
      handoff: undefined,
      events: [],
      files: new Map(),
      turns: new Map(),
      listeners: new Set(),
    };
    state.conversations.set(id, conversation);
    state.append(conversation, { type: "conversation.started" });
    keep(state, call, answer);
  });
}

function planInConversation(
  kind: Kind,
  state: UpstreamState,
  call: Call,
  conversation: StoredConversation,
): Planned {
  if (call.endpoint === "eraseConversation") return planErasure(state, conversation);
  if (conversation.isErased) return refusal(kind, "not_found");
  switch (call.endpoint) {
    case "attachments":
      return planUpload(state, call, conversation, (answer) => keep(state, call, answer));
    case "attachmentContent": {
      const file = conversation.files.get(call.fileId ?? "");
      if (!file) return refusal(kind, "not_found");
      return { ...planned(200, {}), file: { type: file.attachment.type, bytes: file.bytes } };
    }
    case "link": {
      if (conversation.externalId !== call.body["externalId"]) return refusal(kind, "not_found");
      const externalId = text(call.body["linkedTo"]);
      return planned(200, { conversation: { id: conversation.id, externalId } }, () => {
        conversation.externalId = externalId;
      });
    }
    case "ratings":
      return planRating(state, call, conversation);
    case "reads":
      return planned(200, { read: { conversationId: conversation.id, seq: call.body["seq"] } });
    case "typing":
      return planTyping(kind, state, conversation);
    case "handoffs":
      return planHandoff(kind, state, call, conversation);
    case "endConversation":
      return planEnd(kind, state, conversation);
    case "turns":
      return planTurn(kind, state, call, conversation);
    case "actionApprovals":
      return planned(200, { action: { id: call.body["actionId"], approved: call.body["approved"] } });
    case "messages":
      return planned(200, {
        conversation: {
          id: conversation.id,
          status: conversation.status,
          ...(conversation.handoff ? { handoff: conversation.handoff } : {}),
          ...(conversation.rating ? { rating: conversation.rating } : {}),
        },
        messages: conversation.events.flatMap((event) =>
          event.type === "message.created" && event.seq > call.after ? [event.message] : [],
        ),
        lastSeq: conversation.events.length,
        epoch: conversation.id.slice(-12),
      });
    default:
      return refusal(kind, "not_found");
  }
}

/** A signal of the moment: nothing of it is kept. */
function planTyping(kind: Kind, state: UpstreamState, conversation: StoredConversation): Planned {
  if (conversation.status === "ended") return refusal(kind, "conversation_ended");
  return planned(200, { typing: { conversationId: conversation.id } }, () =>
    state.signal(conversation, { type: "typing.started", role: "customer" }),
  );
}

/** Asked for twice, it is one. */
function planHandoff(
  kind: Kind,
  state: UpstreamState,
  call: Call,
  conversation: StoredConversation,
): Planned {
  if (conversation.status === "ended") return refusal(kind, "conversation_ended");
  const running =
    conversation.handoff && ["requested", "accepted"].includes(conversation.handoff.status)
      ? conversation.handoff
      : undefined;
  const handoff: Handoff = running ?? { id: state.newId("ho"), status: "requested" };
  const answer = { handoff: { id: handoff.id, conversationId: conversation.id, status: handoff.status } };
  return planned(201, answer, () => {
    if (running) return;
    conversation.handoff = handoff;
    state.append(conversation, { type: "handoff.requested", handoff });
    keep(state, call, answer);
  });
}

/** The whole service answers a repeated end alike; a smaller one has forgotten the conversation. */
function planEnd(kind: Kind, state: UpstreamState, conversation: StoredConversation): Planned {
  const ended = { conversation: { id: conversation.id, status: "ended" } };
  if (conversation.status === "ended")
    return kind === "full" ? planned(200, ended) : refusal(kind, "not_found");
  return planned(200, ended, () => {
    conversation.status = "ended";
    state.append(conversation, { type: "conversation.ended", by: "customer" });
  });
}

function planTurn(kind: Kind, state: UpstreamState, call: Call, conversation: StoredConversation): Planned {
  const clientMessageId = text(call.body["clientMessageId"]);
  const content = call.body["content"] as { body: string };
  const ids = (call.body["attachments"] as readonly { id: string }[] | undefined) ?? [];
  const files = ids.map(({ id }) => conversation.files.get(id));
  const known = conversation.turns.get(clientMessageId);
  if (known && known.body !== content.body) return refusal(kind, "key_reused");
  const replyId = state.newId("msg");
  const script = scriptFor(content.body, replyId);
  const streams = call.accept.includes("application/x-ndjson");
  if (known) return { status: 201, body: known.answer, commit: nothing, ...(streams ? { script } : {}) };
  if (conversation.status === "ended") return refusal(kind, "conversation_ended");
  if (files.some((file) => file === undefined || file.isSent)) return refusal(kind, "file_gone");
  const attachments = files.flatMap((file) => (file ? [file.attachment] : []));
  const withFiles = attachments.length > 0 ? { attachments } : {};
  const id = state.newId("msg");
  const seq = conversation.events.length + 1;
  const message = { id, clientMessageId, seq, role: "customer" as const, body: content.body, ...withFiles };
  const answer = { message: { ...message, at: new Date().toISOString() } };
  const commit = () => {
    state.addMessage(conversation, {
      id,
      clientMessageId,
      role: "customer",
      body: content.body,
      ...withFiles,
    });
    for (const file of files) if (file) file.isSent = true;
    conversation.turns.set(clientMessageId, { body: content.body, answer });
    const waits = conversation.handoff && ["requested", "accepted"].includes(conversation.handoff.status);
    if (!waits) setImmediate(() => speak(state, conversation, replyId, script));
  };
  return { status: streams ? 200 : 201, body: answer, commit, ...(streams ? { script } : {}) };
}

/** The agent's answer in the log: its pieces live, the whole of it durable. */
function speak(state: UpstreamState, conversation: StoredConversation, id: string, script: TurnScript): void {
  for (const line of script.lines) {
    if (line.type === "response.delta" && "delta" in line)
      state.signal(conversation, { type: "response.delta", messageId: id, delta: String(line.delta) });
  }
  if (script.reply === undefined) return;
  state.addMessage(conversation, { id, role: "agent", body: script.reply, author: { name: "Assistant" } });
}
