import type { Endpoint } from "./endpoint.ts";

/** One call of the BFF, and the answer that it got. */
export interface Called {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly sent: Record<string, unknown> | undefined;
  /** Bytes of a file that were sent. */
  readonly uploaded: number;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isId = (value: unknown) => typeof value === "string" && value !== "";
const UNDONE = ["failed", "rejected", "error"];

/**
 * The body of an answer that says "done" and does not contradict it; implemented without the BFF's own verification.
 */
function bodyOf({ status, type, text }: Called): Json | undefined {
  const isJson = type === "application/json" || (type.endsWith("+json") && !type.includes("problem"));
  if (![200, 201].includes(status) || !isJson) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body) || "error" in body || "errors" in body) return undefined;
    return body["ok"] === false || body["success"] === false || body["status"] === "error" ? undefined : body;
  } catch {
    return undefined;
  }
}

const part = (called: Called, name: string): Json => {
  const value = bodyOf(called)?.[name];
  return isObject(value) ? value : {};
};
const conversationOf = ({ path }: Called) => path.split("/")[4];
const sentOf = ({ sent }: Called, name: string) => sent?.[name];

/** The content that an answer must have before success may be reported. */
export const PROVES: Partial<Record<Endpoint, (called: Called) => boolean>> = {
  identify: (called) => {
    const body = bodyOf(called);
    const named = body?.["customer"] === undefined ? body : body["customer"];
    const id = isObject(named) ? named["externalId"] : null;
    return id === undefined || id === sentOf(called, "externalId");
  },
  sessions: (called) => isId(bodyOf(called)?.["token"]),
  capabilities: (called) => called.status === 404 || Array.isArray(bodyOf(called)?.["capabilities"]),
  supportSelection: (called) =>
    called.status === 404 || (isId(bodyOf(called)?.["channel"]) && isId(bodyOf(called)?.["agentProvider"])),
  conversations: (called) => {
    const { id, status } = part(called, "conversation");
    return isId(id) && !UNDONE.includes(String(status));
  },
  turns: (called) => {
    const { id, clientMessageId, body, role = "customer" } = part(called, "message");
    const content = sentOf(called, "content");
    const text = isObject(content) ? content["body"] : undefined;
    return (
      isId(id) &&
      clientMessageId === sentOf(called, "clientMessageId") &&
      role === "customer" &&
      (body === undefined || body === text)
    );
  },
  handoffs: (called) => {
    const { id, conversationId, status } = part(called, "handoff");
    const isAsked = isId(status) && !UNDONE.includes(String(status));
    return isId(id) && conversationId === sentOf(called, "conversationId") && isAsked;
  },
  proposeSummary: (called) => part(called, "summary")["conversationId"] === conversationOf(called),
  sendSummary: (called) => {
    const { conversationId, handoffId, sentences } = part(called, "summary");
    const texts = Array.isArray(sentences) ? sentences.map(({ text }) => text) : [];
    const isSame = handoffId === sentOf(called, "handoffId") && texts.join("\n") === sentOf(called, "text");
    return conversationId === conversationOf(called) && isSame;
  },
  endConversation: (called) => {
    // An end needs no body.
    if (called.text === "" && [200, 201, 204].includes(called.status)) return true;
    const { id, status } = part(called, "conversation");
    return id === conversationOf(called) && ![...UNDONE, "open"].includes(String(status));
  },
  attachments: (called) =>
    part(called, "attachment")["conversationId"] === conversationOf(called) &&
    part(called, "received")["size"] === called.uploaded,
  ratings: (called) => {
    const { conversationId, score, comment } = part(called, "rating");
    const isSame = score === sentOf(called, "score") && comment === sentOf(called, "comment");
    return conversationId === conversationOf(called) && isSame;
  },
  feedback: (called) => {
    const { conversationId, messageId, score } = part(called, "feedback");
    const isSame = messageId === sentOf(called, "messageId") && score === sentOf(called, "score");
    return conversationId === conversationOf(called) && isSame;
  },
  contacts: (called) => {
    const { conversationId, email } = part(called, "contact");
    return conversationId === conversationOf(called) && email === sentOf(called, "email");
  },
  reads: (called) => part(called, "read")["conversationId"] === conversationOf(called),
  typing: (called) => part(called, "typing")["conversationId"] === conversationOf(called),
  eraseConversation: (called) => part(called, "erased")["conversationId"] === conversationOf(called),
  link: (called) => {
    const { id, externalId } = part(called, "conversation");
    return id === conversationOf(called) && externalId === sentOf(called, "linkedTo");
  },
  messages: (called) => called.status === 404 || Array.isArray(bodyOf(called)?.["messages"]),
};
