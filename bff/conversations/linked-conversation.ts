import type { ConversationPointer, SetAside } from "../sessions/pointer.ts";
import type { Pointers } from "../sessions/pointers.ts";

/** Conversations that wait behind a linked one; the oldest is let go beyond it. */
const MAX_ASIDE = 10;

/**
 * The pointer of a customer who was `anonymousId` until now: they go on in the conversation that they are in. The service
 * keeps it in the anonymous visitor's name, for it has no way to give a conversation to another customer; an open one of
 * their own is set aside, and taken up again after this one. Undefined where there is nothing to link.
 */
export function linkedPointer(
  own: ConversationPointer,
  anonymous: ConversationPointer,
  anonymousId: string,
): ConversationPointer | undefined {
  const { conversationId, status, epoch, handoffs, route } = anonymous;
  if (conversationId === undefined) return undefined;
  const isOwnOpen = own.conversationId !== undefined && own.status === "open";
  // An ended conversation is only to be read: it does not come in front of an open one.
  if (isOwnOpen && status === "ended") return undefined;
  const aside = isOwnOpen ? [...(own.aside ?? []), asideOf(own)].slice(-MAX_ASIDE) : own.aside;
  return { ...own, conversationId, status, epoch, handoffs, owner: anonymousId, aside, route };
}

/** The customer's pointer; after the end of a linked conversation it leads to the one that was set aside for it. */
export async function takeUpAside(pointers: Pointers, externalId: string): Promise<ConversationPointer> {
  const pointer = await pointers.read(externalId);
  const next = pointer.aside?.at(-1);
  if (pointer.status === "open" || next === undefined) return pointer;
  const aside = pointer.aside?.slice(0, -1);
  return pointers.change(externalId, {
    ...next,
    owner: next.owner,
    route: next.route,
    status: "open",
    aside: aside && aside.length > 0 ? aside : undefined,
  });
}

function asideOf({ conversationId, epoch, handoffs, owner, route }: ConversationPointer): SetAside {
  return { conversationId, epoch, handoffs, owner, route };
}
