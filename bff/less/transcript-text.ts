import type { LoggedEvent } from "../../shared/event.ts";
import type { Role } from "../../shared/message.ts";
import { kindsAsText } from "../../shared/message-kinds/as-text.ts";

/** Longest transcript that a hand-off takes along, in characters (the contract's field takes 100,000). */
const MAX_CHARACTERS = 90_000;

const LEFT_OUT = "[Earlier messages are left out.]";

/** The team reads English at the desk. */
const PHRASES = { talkToPerson: "Talk to a person" };

const NAMES: Readonly<Record<Role, string>> = {
  customer: "Customer",
  agent: "Agent",
  human: "Human",
  system: "System",
};

/**
 * What was written, for the person who takes over: one paragraph a message, oldest first. Where it is too long the oldest
 * go, whole, and the text says so. Undefined where nothing was written.
 */
export function transcriptText(events: readonly LoggedEvent[]): string | undefined {
  const paragraphs: string[] = [];
  let size = 0;
  for (const event of events.toReversed()) {
    if (event.type !== "message.created" || event.message.notice) continue;
    const { role, body, incomplete } = event.message;
    const words = [body, ...kindsAsText(event.message, PHRASES)].filter(Boolean).join("\n");
    const paragraph = `${NAMES[role]}: ${words}${incomplete ? " [cut off]" : ""}`;
    size += paragraph.length + 2;
    if (size > MAX_CHARACTERS) {
      paragraphs.unshift(LEFT_OUT);
      break;
    }
    paragraphs.unshift(paragraph);
  }
  return paragraphs.length === 0 ? undefined : paragraphs.join("\n\n");
}
