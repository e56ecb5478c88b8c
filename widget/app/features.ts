import { computed, type ReadonlySignal } from "@preact/signals";
import { MAX_MESSAGE_CODE_POINTS, MAX_SUBJECT_CODE_POINTS } from "../../shared/limits.ts";
import type { SessionStatus } from "./session-status.ts";

export type Features = ReturnType<typeof featuresOf>["value"];

/** The features of this chat. All are assumed until the session reports fewer. */
export function featuresOf(session: ReadonlySignal<SessionStatus>) {
  return computed(() => {
    const { value } = session;
    const offers = (capability: string) => value.kind !== "ready" || value.capabilities.includes(capability);
    /** True only once the service declared it. */
    const has = (capability: string) => value.kind === "ready" && offers(capability);
    const turns = offers("turns");
    const maxLength = turns ? MAX_MESSAGE_CODE_POINTS : MAX_SUBJECT_CODE_POINTS;
    return {
      /** Messages in a running conversation and their answers. Without it one message starts it, and that is all. */
      turns,
      people: offers("events"),
      files: has("attachments"),
      read: has("read"),
      typing: has("typing"),
      contact: has("contact"),
      summary: has("summary"),
      feedback: has("feedback"),
      rating: has("rating"),
      erase: has("erase"),
      history: has("history"),
      search: has("search"),
      reopen: has("reopen"),
      /** Longest message, in code points. */
      maxLength,
    };
  });
}
