import type { Mark } from "./conversation.ts";
import type { LoggedEvent } from "./event.ts";

/** The entry between messages for an event; undefined if the event has none. */
export function markOf(event: LoggedEvent): Mark | undefined {
  const { seq, at } = event;
  switch (event.type) {
    case "handoff.requested":
    case "handoff.accepted":
    case "handoff.returned":
    case "handoff.failed": {
      const name = event.handoff.human?.name;
      return { seq, at, type: event.type, ...(name ? { name } : {}) };
    }
    case "conversation.reopened":
      // The next event says that a person joined, which is enough.
      return event.by === "human" ? undefined : { seq, at, type: event.type };
    case "summary.sent":
    case "conversation.ended":
      return { seq, at, type: event.type };
    default:
      return undefined;
  }
}
