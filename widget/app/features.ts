import { computed, type ReadonlySignal } from "@preact/signals";
import { MAX_MESSAGE_CODE_POINTS, MAX_SUBJECT_CODE_POINTS } from "../../shared/limits.ts";
import type { SessionStatus } from "./session-status.ts";

export type Features = ReturnType<typeof featuresOf>["value"];

/** The features of this chat. All are assumed until the session reports fewer. */
export function featuresOf(session: ReadonlySignal<SessionStatus>) {
  return computed(() => {
    const { value } = session;
    const offers = (capability: string) => value.kind !== "ready" || value.capabilities.includes(capability);
    const turns = offers("turns");
    const maxLength = turns ? MAX_MESSAGE_CODE_POINTS : MAX_SUBJECT_CODE_POINTS;
    return {
      /** Messages in a running conversation and their answers. Without it one message starts it, and that is all. */
      turns,
      people: offers("events"),
      // The following are true only once the service declared them.
      files: value.kind === "ready" && offers("attachments"),
      read: value.kind === "ready" && offers("read"),
      typing: value.kind === "ready" && offers("typing"),
      contact: value.kind === "ready" && offers("contact"),
      summary: value.kind === "ready" && offers("summary"),
      feedback: value.kind === "ready" && offers("feedback"),
      /** Longest message, in code points. */
      maxLength,
    };
  });
}
