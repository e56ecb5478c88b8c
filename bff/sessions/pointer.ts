import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { Route } from "../../shared/route.ts";

const Count = z.int().check(z.nonnegative());
const Text = z.string().check(z.maxLength(4096));

/** Messages whose starts are remembered per customer, and conversations set aside; the oldest are dropped beyond it. */
const MAX_REMEMBERED = 10;

const Open = z.object({
  conversationId: Text,
  epoch: Text,
  /** Confirmed hand-offs so far: the next one's number makes its idempotency key. */
  handoffs: Count,
  /** The route that it was started with; it stays (CONV1). */
  route: z.optional(Route),
});
/** One conversation of a customer. */
export type OpenConversation = Readonly<z.infer<typeof Open>>;

const history = {
  /** Conversations started so far: the next one's number makes its idempotency key. */
  started: Count,
  /** Open conversations that a linked one replaced: they continue after its end. */
  aside: z.optional(z.readonly(z.array(Open))),
  /** The anonymous visitors that this customer was: erasing the customer erases them too. */
  visitors: z.optional(z.readonly(z.array(Text))),
  /** Messages that started a conversation, by `clientMessageId`, with its id: a retry of one starts no other. */
  startedFor: z.optional(z.readonly(z.array(z.readonly(z.tuple([Text, Text]))))),
};

const ConversationPointer = z.discriminatedUnion("status", [
  z.object({ status: z.literal("none"), ...history }),
  z.object({ status: z.literal("open"), ...Open.shape, ...history }),
  z.object({ status: z.literal("ended"), ...Open.shape, ...history }),
]);

/** The conversation that a customer is in. A customer has one at a time; the next one starts after its end. */
export type ConversationPointer = Readonly<z.infer<typeof ConversationPointer>>;
/** A pointer that leads to a conversation. */
export type CurrentConversation = Exclude<ConversationPointer, { readonly status: "none" }>;

/** A customer without a conversation. */
export const NO_POINTER: ConversationPointer = { status: "none", started: 0 };

/** Undefined for anything but a pointer: others may write where the store is. */
export function parsePointer(value: unknown): ConversationPointer | undefined {
  return ConversationPointer.safeParse(ofEarlierVersion(value)).data;
}

/**
 * Earlier versions wrote "ended" without a conversation, left out the epoch, and followed conversations in an anonymous
 * visitor's name (`owner`), which no session of the customer opens.
 */
function ofEarlierVersion(value: unknown): unknown {
  const { success, data } = Earlier.safeParse(value);
  if (!success) return value;
  const { conversationId: id, owner, aside = [], visitors = [], ...rest } = data;
  const owners = [owner, ...aside.map((place) => place.owner)].filter((name) => name !== undefined);
  const known = [...visitors, ...owners];
  const waiting = aside.flatMap((place) => openPlaceOf(place) ?? []);
  const history = {
    ...rest,
    ...(waiting.length > 0 ? { aside: waiting } : {}),
    ...(known.length > 0 ? { visitors: known } : {}),
  };
  return id === undefined || owner !== undefined
    ? { ...history, status: "none" }
    : { ...history, conversationId: id, epoch: data.epoch ?? epochOf(id, undefined) };
}

const EarlierPlace = z.looseObject({
  conversationId: z.optional(Text),
  epoch: z.optional(Text),
  owner: z.optional(Text),
});
const Earlier = z.looseObject({
  ...EarlierPlace.shape,
  aside: z.optional(z.array(EarlierPlace)),
  visitors: z.optional(z.array(Text)),
});

function openPlaceOf({ conversationId: id, epoch, owner, ...rest }: z.infer<typeof EarlierPlace>) {
  if (id === undefined || owner !== undefined) return undefined;
  return { ...rest, conversationId: id, epoch: epoch ?? epochOf(id, undefined) };
}

/**
 * Names one conversation's log in stream positions: it differs for another conversation, and after the service replaced
 * the log (its own `epoch` changed), so that a position in either shows that it is gone.
 */
export function epochOf(conversationId: string, serviceEpoch: string | undefined): string {
  return createHash("sha256")
    .update(`${conversationId}\n${serviceEpoch ?? ""}`)
    .digest("base64url")
    .slice(0, 12);
}

/** The pointer after the service verifiably started a conversation, for the message with this key where there was one. */
export function afterStart(
  now: ConversationPointer,
  { conversationId, route }: { readonly conversationId: string; readonly route: Route },
  clientMessageId: string | undefined,
): ConversationPointer {
  const others = (now.startedFor ?? []).filter(([key]) => key !== clientMessageId);
  const starts =
    clientMessageId === undefined ? others : [...others, [clientMessageId, conversationId] as const];
  return {
    ...historyOf(now),
    status: "open",
    conversationId,
    epoch: epochOf(conversationId, undefined),
    handoffs: 0,
    route,
    started: now.started + 1,
    ...(starts.length > 0 ? { startedFor: starts.slice(-MAX_REMEMBERED) } : {}),
  };
}

/** The conversation that was started for this message before, if one was: a retry of the message goes there. */
export function startedFor(pointer: ConversationPointer, clientMessageId: string): string | undefined {
  return pointer.startedFor?.find(([key]) => key === clientMessageId)?.[1];
}

/** The pointer after the service says that it does not have the conversation. */
export function afterLoss(now: ConversationPointer): ConversationPointer {
  return { ...historyOf(now), status: "none" };
}

/** The pointer after the service verifiably erased the conversation: no message may be sent to it again. */
export function afterErasure(now: ConversationPointer): ConversationPointer {
  return { ...historyOf({ ...now, startedFor: undefined }), status: "none" };
}

/** A lost conversation that a retried message started: it may be there again, and the message must not start another. */
export function afterFinding(now: ConversationPointer, conversationId: string): ConversationPointer {
  return { ...now, status: "open", conversationId, epoch: epochOf(conversationId, undefined), handoffs: 0 };
}

/**
 * The pointer of a customer who signed in during the anonymous conversation `linked`: they continue in it. An open
 * conversation of their own continues after it. Undefined where an ended conversation would replace an open one.
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
    ...(waiting.length > 0 ? { aside: waiting.slice(-MAX_REMEMBERED) } : {}),
  };
}

/** After the end of a linked conversation the customer returns to the one that was set aside for it. */
export function afterReturn(now: ConversationPointer): ConversationPointer {
  const next = now.aside?.at(-1);
  if (now.status === "open" || next === undefined) return now;
  const { aside = [], ...rest } = historyOf(now);
  const others = aside.slice(0, -1);
  return { ...rest, status: "open", ...next, ...(others.length > 0 ? { aside: others } : {}) };
}

/** What was learned about one conversation, for the pointer while it leads there: another may have begun meanwhile. */
export function onlyOf(
  conversationId: string,
  change: (now: CurrentConversation) => ConversationPointer,
): (now: ConversationPointer) => ConversationPointer {
  return (now) => (now.status !== "none" && now.conversationId === conversationId ? change(now) : now);
}

/** What stays of a pointer when it leads elsewhere. */
function historyOf({ started, aside, visitors, startedFor: starts }: ConversationPointer) {
  return {
    started,
    ...(aside ? { aside } : {}),
    ...(visitors ? { visitors } : {}),
    ...(starts ? { startedFor: starts } : {}),
  };
}

function openOf({ conversationId, epoch, handoffs, route }: CurrentConversation): OpenConversation {
  return { conversationId, epoch, handoffs, ...(route ? { route } : {}) };
}
