import type { Endpoint } from "./endpoint.ts";

/** A healthy answer, which a fault changes. */
export interface Healthy {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** The same as an object, if it is one JSON document. */
  readonly body: unknown;
}

const OTHER = "other_000000000000000000";

/** The healthy body with a different echo from what was sent; `undefined` if the endpoint echoes nothing. */
export function withOtherId(endpoint: Endpoint): unknown {
  switch (endpoint) {
    case "identify":
      return { customer: { externalId: OTHER } };
    case "handoffs":
      return { handoff: { id: "ho_lie", conversationId: OTHER, status: "requested" } };
    case "proposeSummary":
      return { summary: { conversationId: OTHER, handoffId: "ho_lie", sentences: [] } };
    case "sendSummary":
      return { summary: { conversationId: OTHER, handoffId: "ho_lie", sentences: [{ text: "A lie." }] } };
    case "endConversation":
      return { conversation: { id: OTHER, status: "ended" } };
    case "turns":
      return { message: { id: "msg_lie", clientMessageId: OTHER, seq: 2, role: "customer" } };
    case "attachments":
      return {
        attachment: { id: "att_lie", conversationId: OTHER, name: "a.pdf", type: "application/pdf", size: 1 },
        received: { size: 1, sha256: "0".repeat(64) },
      };
    case "ratings":
      return { rating: { conversationId: OTHER, score: "up" } };
    case "feedback":
      return { feedback: { conversationId: OTHER, messageId: "msg_lie", score: "up" } };
    case "contacts":
      return { contact: { conversationId: OTHER, email: "other@shop.example" } };
    case "reads":
      return { read: { conversationId: OTHER, seq: 1 } };
    case "typing":
      return { typing: { conversationId: OTHER } };
    case "link":
      return { conversation: { id: OTHER, externalId: OTHER } };
    case "eraseConversation":
      return { erased: { conversationId: OTHER } };
    default:
      return undefined;
  }
}

/** The field that makes each answer meaningful. */
const WORTH: Partial<Record<Endpoint, readonly [part: string, field: string] | readonly [field: string]>> = {
  identify: ["customer", "externalId"],
  sessions: ["token"],
  providerSelection: ["provider"],
  supportSelection: ["agentProvider"],
  conversations: ["conversation", "id"],
  handoffs: ["handoff", "id"],
  proposeSummary: ["summary", "handoffId"],
  sendSummary: ["summary", "sentences"],
  endConversation: ["conversation", "id"],
  capabilities: ["capabilities"],
  turns: ["message", "id"],
  messages: ["lastSeq"],
  attachments: ["attachment", "id"],
  ratings: ["rating", "score"],
  feedback: ["feedback", "score"],
  contacts: ["contact", "email"],
  reads: ["read", "seq"],
  typing: ["typing", "conversationId"],
  eraseConversation: ["erased", "conversationId"],
  link: ["conversation", "externalId"],
};

/** The healthy body without its id, or what serves as one. */
export function withoutId(endpoint: Endpoint, body: unknown): unknown {
  return removed(body, WORTH[endpoint] ?? []);
}

function removed(body: unknown, [first, ...rest]: readonly string[]): unknown {
  if (typeof body !== "object" || body === null || first === undefined) return body;
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      if (key !== first) return [[key, value]];
      return rest.length === 0 ? [] : [[key, removed(value, rest)]];
    }),
  );
}
