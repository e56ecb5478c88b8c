import { streamEvents } from "../../shared/v1/events.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import type { OpenStream, UpstreamClient } from "./client.ts";

export interface TranscriptQuestion {
  readonly serviceToken: string;
  readonly conversationId: string;
  /** Messages behind this seq; 0 is all of them. */
  readonly after: number;
}

/** Reads a conversation's messages and where its log stands. */
export function readTranscript(upstream: UpstreamClient, question: TranscriptQuestion) {
  const { serviceToken, conversationId, after } = question;
  return upstream.call({ operation: readMessages, sent: { conversationId }, serviceToken, after });
}

/** Follows a conversation's events behind `after`; `signal` ends it. */
export function followEvents(
  upstream: UpstreamClient,
  question: TranscriptQuestion,
  signal: AbortSignal,
): Promise<OpenStream> {
  const { serviceToken, conversationId, after } = question;
  return upstream.open({ operation: streamEvents, sent: { conversationId }, serviceToken, after }, signal);
}
