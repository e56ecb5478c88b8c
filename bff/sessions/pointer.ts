import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { FailureCode } from "../../shared/errors.ts";
import { Route } from "../../shared/route.ts";

const Count = z.int().check(z.nonnegative());
const Text = z.string().check(z.maxLength(4096));

/** Messages whose starts are remembered per customer, and conversations set aside; beyond it the oldest are dropped. */
const MAX_REMEMBERED = 10;

const Open = z.object({
  conversationId: Text,
  epoch: Text,
  /** Confirmed hand-offs so far: the next one's number makes its idempotency key. */
  handoffs: Count,
  /** The route of its start, which does not change (CONV1). */
  route: z.optional(Route),
  /** How long its log was when the customer continued it: an end up to here is over, and a message opens it again. */
  continuesAfter: z.optional(Count),
});
export type OpenConversation = Readonly<z.infer<typeof Open>>;

const history = {
  /** Conversations started so far: the next one's number makes its idempotency key. */
  started: Count,
  /** Open conversations that a linked one replaced: they continue after its end. */
  aside: z.optional(z.readonly(z.array(Open))),
  /** The customer's earlier anonymous ids: erasing the customer erases them too. */
  visitors: z.optional(z.readonly(z.array(Text))),
  /** Messages that started a conversation, by `clientMessageId`, with its id: a retry of one starts no other. */
  startedFor: z.optional(z.readonly(z.array(z.readonly(z.tuple([Text, Text]))))),
};

export const ConversationPointer = z.discriminatedUnion("status", [
  /** `isLost`: the service no longer has the last one, which nobody erased. */
  z.object({ status: z.literal("none"), isLost: z.optional(z.literal(true)), ...history }),
  z.object({ status: z.literal("open"), ...Open.shape, ...history }),
  z.object({ status: z.literal("ended"), ...Open.shape, ...history }),
]);

/** The conversation that a customer is in. A customer has one at a time; the next one starts after its end. */
export type ConversationPointer = Readonly<z.infer<typeof ConversationPointer>>;
export type CurrentConversation = Exclude<ConversationPointer, { readonly status: "none" }>;

export const NO_POINTER: ConversationPointer = { status: "none", started: 0 };

/**
 * Identifies one conversation's log in stream positions: it differs for another conversation, and after the service
 * replaced the log (its own `epoch` changed), so a position from either counts as gone.
 */
export function epochOf(conversationId: string, serviceEpoch: string | undefined): string {
  return hash("sha256", `${conversationId}\n${serviceEpoch ?? ""}`, "base64url").slice(0, 12);
}

/** The pointer after the service verifiably started a conversation, for the message with this key if there was one. */
export function afterStart(
  now: ConversationPointer,
  { conversationId, route }: { readonly conversationId: string; readonly route: Route },
  clientMessageId: string | undefined,
): ConversationPointer {
  const { startedFor: before = [], ...history } = historyOf(now);
  const others = before.filter(([key]) => key !== clientMessageId);
  const starts =
    clientMessageId === undefined ? before : [...others, [clientMessageId, conversationId] as const];
  return {
    ...history,
    status: "open",
    conversationId,
    epoch: epochOf(conversationId, undefined),
    handoffs: 0,
    route,
    started: now.started + 1,
    startedFor: starts.slice(-MAX_REMEMBERED),
  };
}

/** The conversation that this message started earlier, if any: a retry of the message goes there. */
export function startedFor(pointer: ConversationPointer, clientMessageId: string): string | undefined {
  return pointer.startedFor?.find(([key]) => key === clientMessageId)?.[1];
}

/** The pointer after the service reports, with this code, that it does not have the conversation. */
export function afterLoss(now: CurrentConversation, code: FailureCode): ConversationPointer {
  if (code === "conversation_erased") return afterErasure(now);
  const startedFor = now.startedFor?.filter(([, id]) => !(id === now.conversationId && wasShown(now)));
  return { ...historyOf({ ...now, startedFor }), status: "none", isLost: true };
}

/** Whether the service has shown the log, with an epoch: then a 404 is a loss, also for the message that started it. */
export function wasShown({ conversationId, epoch }: CurrentConversation): boolean {
  return epoch !== epochOf(conversationId, undefined);
}

/** The pointer after the service verifiably erased the conversation: no message may be sent to it again. */
export function afterErasure(now: ConversationPointer): ConversationPointer {
  return { ...historyOf({ ...now, startedFor: undefined }), status: "none" };
}

/** A lost conversation that a retried message started: it may come back, and the message must not start another. */
export function afterFinding(now: ConversationPointer, conversationId: string): ConversationPointer {
  return { ...now, status: "open", conversationId, epoch: epochOf(conversationId, undefined), handoffs: 0 };
}

/**
 * The pointer of a customer who signed in during the anonymous conversation `linked`: they continue in it. Their own
 * open conversation continues after it. Undefined if an ended conversation would replace an open one.
 */
export function afterLink(
  own: ConversationPointer,
  linked: CurrentConversation,
  visitor: string,
): ConversationPointer | undefined {
  if (own.status === "open" && linked.status === "ended") return undefined;
  const { aside = [], visitors = [] } = own;
  const waiting = own.status === "open" ? [...aside, openOf(own)] : aside;
  return {
    ...historyOf(own),
    status: linked.status,
    ...openOf(linked),
    visitors: [...new Set([...visitors, visitor])].slice(-MAX_REMEMBERED),
    aside: waiting.slice(-MAX_REMEMBERED),
  };
}

/** The pointer after the customer chose to continue an earlier conversation. */
export function afterChoice(
  now: ConversationPointer,
  chosen: Pick<OpenConversation, "conversationId" | "epoch">,
  lastSeq: number,
  isEnded: boolean,
): ConversationPointer {
  return {
    ...historyOf(now),
    aside: now.aside?.filter((one) => one.conversationId !== chosen.conversationId),
    status: isEnded ? "ended" : "open",
    ...chosen,
    // The log has more entries than hand-offs, so its length gives the next hand-off a key that no earlier one had.
    handoffs: lastSeq,
    continuesAfter: lastSeq,
  };
}

/** Whether the next message opens this ended conversation again. */
export function isToReopen(now: ConversationPointer): boolean {
  return now.status === "ended" && now.continuesAfter !== undefined;
}

/** The pointer after its conversation verifiably ended: the next message starts another one. */
export function afterEnd(now: CurrentConversation): ConversationPointer {
  return { ...now, status: "ended", continuesAfter: undefined };
}

/** The pointer after its conversation is verifiably open again; an end up to here is over. */
export function afterReopening(now: CurrentConversation, seq: number): ConversationPointer {
  return { ...now, status: "open", continuesAfter: Math.max(seq, now.continuesAfter ?? 0) };
}

/** After the end of a linked conversation the customer returns to the one that was set aside for it. */
export function afterReturn(now: ConversationPointer): ConversationPointer {
  const next = now.aside?.at(-1);
  if (now.status === "open" || isToReopen(now) || next === undefined) return now;
  return { ...historyOf(now), status: "open", ...next, aside: now.aside?.slice(0, -1) };
}

/** The parts of a pointer that stay when it leads elsewhere. */
function historyOf({ started, aside, visitors, startedFor: starts }: ConversationPointer) {
  return { started, aside, visitors, startedFor: starts };
}

function openOf(current: CurrentConversation): OpenConversation {
  const { conversationId, epoch, handoffs, route, continuesAfter } = current;
  return { conversationId, epoch, handoffs, route, continuesAfter };
}
