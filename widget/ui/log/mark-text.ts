import type { Mark } from "../../../shared/conversation.ts";
import type { Texts } from "../../app/texts.ts";

/** The line of an entry between messages. */
export function markText(mark: Mark, texts: Texts): string {
  switch (mark.type) {
    case "handoff.requested":
      return texts.markRequested;
    case "handoff.accepted":
      return mark.name ? texts.markAcceptedBy(mark.name) : texts.markAccepted;
    case "handoff.returned":
      return texts.markReturned;
    case "handoff.failed":
      return texts.markFailed;
    case "summary.sent":
      return texts.summarySent;
    case "conversation.ended":
      return texts.markEnded;
    case "conversation.reopened":
      return texts.markContinued;
  }
}
