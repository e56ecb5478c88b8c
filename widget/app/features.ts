import { computed, type ReadonlySignal } from "@preact/signals";
import { MAX_MESSAGE_CODE_POINTS, MAX_SUBJECT_CODE_POINTS } from "../../shared/limits.ts";
import type { SessionStatus } from "./session-status.ts";

/** The features of this chat. All are assumed until the session reports fewer. */
export interface Features {
  /**
   * Messages in a running conversation, and the agent's answers to them. Without it one message starts a conversation,
   * and that is all.
   */
  readonly turns: boolean;
  /** Messages of team members. */
  readonly people: boolean;
  /** Files: offered only after the service said that it accepts some. */
  readonly files: boolean;
  /** How far the customer has read; known only if the service stores it. */
  readonly read: boolean;
  /** Shows the other side that the customer is typing. */
  readonly typing: boolean;
  /** An e-mail address of the customer's, where the team can read it. */
  readonly contact: boolean;
  /** Longest message, in code points. */
  readonly maxLength: number;
}

export function featuresOf(session: ReadonlySignal<SessionStatus>): ReadonlySignal<Features> {
  return computed(() => {
    const { value } = session;
    const offers = (capability: string) => value.kind !== "ready" || value.capabilities.includes(capability);
    const turns = offers("turns");
    const maxLength = turns ? MAX_MESSAGE_CODE_POINTS : MAX_SUBJECT_CODE_POINTS;
    return {
      turns,
      people: offers("events"),
      files: value.kind === "ready" && offers("attachments"),
      read: value.kind === "ready" && offers("read"),
      typing: value.kind === "ready" && offers("typing"),
      contact: value.kind === "ready" && offers("contact"),
      maxLength,
    };
  });
}
