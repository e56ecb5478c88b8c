import type { FeedbackChange } from "../../shared/feedback.ts";
import type { Message } from "../../shared/message.ts";

/** The messages with this feedback on one of them. */
export function withFeedback(
  messages: readonly Message[],
  { messageId, score }: FeedbackChange,
): readonly Message[] {
  return messages.map((known) => {
    if (known.id !== messageId) return known;
    const { feedback: _, ...message } = known;
    return score ? { ...message, feedback: score } : message;
  });
}
