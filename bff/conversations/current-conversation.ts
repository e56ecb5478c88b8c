import { Failure } from "../../shared/errors.ts";
import type { Route } from "../../shared/route.ts";
import type { ConversationPointer } from "../sessions/pointer.ts";
import type { PointerChange, Pointers } from "../sessions/pointers.ts";
import { isGone, Refused } from "../upstream/failure.ts";

/** A conversation, and in whose name the service has it; without an owner it is the customer's own. */
export interface Place {
  readonly conversationId: string;
  readonly owner?: string | undefined;
}

/** Where a customer's conversation is. */
export interface CurrentConversation extends Place {
  readonly status: "open" | "ended";
  readonly epoch: string | undefined;
}

/** The route of the open conversation, else of one that would start now. Pointers of an earlier version name none. */
export function routeNow(pointer: ConversationPointer, session: { readonly route: Route }): Route {
  const isOpen = pointer.conversationId !== undefined && pointer.status === "open";
  return (isOpen ? pointer.route : undefined) ?? session.route;
}

/** @throws Failure no_conversation */
export function requireConversation(pointer: ConversationPointer): CurrentConversation {
  const { conversationId, status, epoch, owner } = pointer;
  if (conversationId === undefined) throw new Failure("no_conversation");
  return { conversationId, status, epoch, owner };
}

/** @throws Failure no_conversation, conversation_ended */
export function requireOpenConversation(pointer: ConversationPointer): CurrentConversation {
  const current = requireConversation(pointer);
  if (current.status === "ended") throw new Failure("conversation_ended");
  return current;
}

/** What was learned of one conversation, for the pointer while it leads there: another may have begun since it was asked. */
export function onlyOf(conversationId: string, change: Partial<ConversationPointer>): PointerChange {
  return (now) => (now.conversationId === conversationId ? change : {});
}

/** Learns from a refusal that the conversation is over (a person resolved it), and gives the failure to tell. */
export async function learnEnd(
  error: unknown,
  pointers: Pointers,
  externalId: string,
  conversationId: string,
): Promise<unknown> {
  if (!(error instanceof Refused && error.code === "conversation_ended")) return error;
  await pointers.change(externalId, onlyOf(conversationId, { status: "ended" }));
  return new Failure("conversation_ended");
}

/** The same where a refusal may also say that the service does not have the conversation any more. */
export async function learnFromRefusal(
  error: unknown,
  pointers: Pointers,
  externalId: string,
  conversationId: string,
): Promise<unknown> {
  if (!isGone(error)) return learnEnd(error, pointers, externalId, conversationId);
  const nowhere = { conversationId: undefined, status: "ended" as const, epoch: undefined };
  await pointers.change(externalId, onlyOf(conversationId, nowhere));
  return new Failure("no_conversation", { cause: "the service does not have it" });
}
