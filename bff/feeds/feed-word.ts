import * as z from "zod/mini";
import { type FeedEvent, LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { LogName } from "./feed-store.ts";

const Word = z.object({
  log: z.object({ externalId: z.string(), conversationId: z.string() }),
  events: z.array(z.union([LoggedEvent, LiveEvent])),
});

/** What processes tell each other of a log. */
export function formatFeedWord(log: LogName, events: readonly FeedEvent[]): string {
  const { externalId, conversationId } = log;
  return JSON.stringify({ log: { externalId, conversationId }, events });
}

/** Undefined where it is no such word: others may speak on the channel. */
export function parseFeedWord(text: string): { log: LogName; events: readonly FeedEvent[] } | undefined {
  try {
    const parsed = Word.safeParse(JSON.parse(text));
    return parsed.success ? (parsed.data as { log: LogName; events: FeedEvent[] }) : undefined;
  } catch {
    return undefined;
  }
}
