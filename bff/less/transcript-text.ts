import type { LoggedEvent } from "../../shared/event.ts";
import type { Role } from "../../shared/message.ts";
import { kindsAsText, LINE_END } from "../../shared/message-kinds/as-text.ts";

/** Longest transcript that a hand-off sends, in characters (the contract's field takes 100,000). */
const MAX_CHARACTERS = 90_000;

/** English, because the desk is. */
const PHRASES = { talkToPerson: "Talk to a person" };

/** `customer` → `Customer`. */
const titleOf = (role: Role) => role.charAt(0).toUpperCase() + role.slice(1);

/**
 * The messages for the person who takes over: one paragraph each, oldest first, its later lines indented, so that none can
 * look like another message. When the text is too long, whole messages are left out from the start, and the text says so.
 * Undefined without messages.
 */
export function transcriptText(events: readonly LoggedEvent[]): string | undefined {
  const paragraphs: string[] = [];
  let size = 0;
  for (const event of events.toReversed()) {
    if (event.type !== "message.created" || event.message.notice) continue;
    const { role, body, incomplete } = event.message;
    const words = [body, ...kindsAsText(event.message, PHRASES)].filter(Boolean).join("\n");
    const indented = words.split(LINE_END).join("\n    ");
    const paragraph = `${titleOf(role)}: ${indented}${incomplete ? " [cut off]" : ""}`;
    size += paragraph.length + 2;
    if (size > MAX_CHARACTERS) {
      paragraphs.unshift("[Earlier messages are left out.]");
      break;
    }
    paragraphs.unshift(paragraph);
  }
  return paragraphs.length === 0 ? undefined : paragraphs.join("\n\n");
}
