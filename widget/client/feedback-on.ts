import type { FeedbackChange } from "../../shared/feedback.ts";
import type { Message } from "../../shared/message.ts";

/** The messages with this feedback on one of them. The same list if that changes nothing. */
export function withFeedback(
  messages: readonly Message[],
  { messageId, score }: FeedbackChange,
): readonly Message[] {
  const isNews = ({ id, feedback }: Message) => id === messageId && (feedback ?? null) !== score;
  return messages.some(isNews)
    ? messages.map((message) => (isNews(message) ? withScore(message, score) : message))
    : messages;
}

function withScore({ feedback: _, ...message }: Message, score: FeedbackChange["score"]): Message {
  return score === null ? message : { ...message, feedback: score };
}
