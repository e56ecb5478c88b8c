import * as z from "zod/mini";
import { ExternalId } from "../../shared/id.ts";
import { Route } from "../../shared/route.ts";

const Count = z.int().check(z.nonnegative());
const Text = z.string().check(z.maxLength(4096));

/** One conversation of a customer. */
const Place = {
  conversationId: z.optional(Text),
  epoch: z.optional(Text),
  /** Confirmed hand-offs so far: the next one's number makes its idempotency key. */
  handoffs: Count,
  /** The anonymous visitor that the customer was before, when the service has the conversation in that name. */
  owner: z.optional(ExternalId),
  /** The route that it was started with; it stays (CONV1). */
  route: z.optional(Route),
};

/** A conversation that was open when a linked one came in front of it: it continues after the linked one. */
const SetAside = z.object(Place);
export type SetAside = Readonly<z.infer<typeof SetAside>>;

const ConversationPointer = z.object({
  ...Place,
  status: z.enum(["open", "ended"]),
  /** Conversations started so far: the next one's number makes its idempotency key. */
  started: Count,
  aside: z.optional(z.readonly(z.array(SetAside))),
  /** Messages that started a conversation, by `clientMessageId`, with its id: a retry of one starts no other. */
  startedFor: z.optional(z.readonly(z.array(z.readonly(z.tuple([Text, Text]))))),
});
type Parsed = z.infer<typeof ConversationPointer>;

/** The conversation that a customer is in. A customer has one at a time; the next one starts after its end. */
export type ConversationPointer = Readonly<Parsed> & Required<Pick<Parsed, "conversationId" | "epoch">>;

/** A customer without a conversation. */
export const NO_POINTER: ConversationPointer = {
  conversationId: undefined,
  status: "ended",
  epoch: undefined,
  started: 0,
  handoffs: 0,
};

/** Undefined for anything but a pointer: others may write where the store is. */
export function parsePointer(value: unknown): ConversationPointer | undefined {
  const { data } = ConversationPointer.safeParse(value);
  return data && { ...data, conversationId: data.conversationId, epoch: data.epoch };
}
