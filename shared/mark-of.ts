import type { Mark } from "./conversation.ts";
import type { LoggedEvent } from "./event.ts";

/** What stands of an entry between the messages; undefined where nothing does. */
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
    case "conversation.ended":
      return { seq, at, type: event.type };
    default:
      return undefined;
  }
}
