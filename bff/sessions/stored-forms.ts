import * as z from "zod/mini";
import { Capability } from "../../shared/capability.ts";
import { ExternalId } from "../../shared/id.ts";
import { Route } from "../../shared/route.ts";
import { Traits } from "../../shared/traits.ts";
import type { ConversationPointer, SessionFacts } from "./session-store.ts";

const Millis = z.int().check(z.nonnegative());
const Text = z.string().check(z.maxLength(4096));

const Facts = z.object({
  customer: z.object({ externalId: ExternalId, displayName: z.optional(Text), identified: z.boolean() }),
  route: Route,
  providerId: z.optional(Text),
  selected: z.optional(
    z.object({
      at: Millis,
      ttlSeconds: z.number(),
      wish: z.object({
        channel: z.optional(Text),
        agentProvider: z.optional(Text),
        humanHandoffAdapter: z.optional(Text),
      }),
      locale: z.optional(Text),
      askedBy: Text,
    }),
  ),
  capabilities: z.array(Capability),
  locale: z.optional(Text),
  page: z.optional(Text),
  keyId: z.optional(Text),
  signed: z.optional(
    z.object({
      email: z.optional(Text),
      locale: z.optional(Text),
      emailVerified: z.boolean(),
      traits: Traits,
    }),
  ),
  pageTraits: z.optional(Traits),
});

const Place = {
  conversationId: z.optional(Text),
  epoch: z.optional(Text),
  handoffs: Millis,
  owner: z.optional(ExternalId),
  route: z.optional(Route),
};

const Pointer = z.object({
  ...Place,
  status: z.enum(["open", "ended"]),
  started: Millis,
  aside: z.optional(z.array(z.object(Place))),
  startedFor: z.optional(z.array(z.tuple([Text, Text]))),
});

/** Every name of a fact; each is kept by itself, so that two processes can change two of them at once. */
export const FACT_NAMES = Object.keys(Facts.shape) as readonly (keyof SessionFacts)[];

/** What is a session's facts; undefined for anything else. Others may write where the store is, so its word is checked. */
export function parseFacts(value: unknown): SessionFacts | undefined {
  const parsed = Facts.safeParse(value);
  // The same but for members that are undefined, which nobody tells from absent ones here.
  return parsed.success ? (parsed.data as SessionFacts) : undefined;
}

/** What is a pointer; undefined for anything else. */
export function parsePointer(value: unknown): ConversationPointer | undefined {
  const parsed = Pointer.safeParse(value);
  if (!parsed.success) return undefined;
  const { conversationId, epoch, aside, ...rest } = parsed.data;
  const places = aside?.map((place) => ({
    ...place,
    conversationId: place.conversationId,
    epoch: place.epoch,
  }));
  return { ...rest, conversationId, epoch, ...(places ? { aside: places } : {}) };
}
