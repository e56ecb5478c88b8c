import { Failure } from "../../shared/errors.ts";
import { streamEvents } from "../../shared/v1/events.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import type { OpenStream, UpstreamClient } from "./client.ts";

export interface TranscriptQuestion {
  readonly serviceToken: string;
  readonly conversationId: string;
  /** Messages after this seq; 0 is all of them. */
  readonly after: number;
}

/**
 * Reads a conversation's messages, page by page where the service gives pages, and where its log stands.
 *
 * @throws Failure `not_confirmed` when a page leads nowhere, or the log was replaced between two pages
 */
export async function readTranscript(upstream: UpstreamClient, question: TranscriptQuestion) {
  const { serviceToken, conversationId } = question;
  const read = async (after: number) =>
    (await upstream.call(readMessages, { params: { id: conversationId }, token: serviceToken, after })).value;
  let value = await read(question.after);
  for (let after = question.after; value.nextAfter !== undefined; ) {
    const { nextAfter, epoch, messages, marks } = value;
    if (nextAfter <= after) throw new Failure("not_confirmed", { cause: "a page that leads nowhere" });
    const page = await read(nextAfter);
    if (page.epoch !== epoch) throw new Failure("not_confirmed", { cause: "a log replaced between pages" });
    value = {
      ...page,
      messages: [...messages, ...page.messages],
      ...(marks || page.marks ? { marks: [...(marks ?? []), ...(page.marks ?? [])] } : {}),
    };
    after = nextAfter;
  }
  return { value };
}

/** Follows a conversation's events after `after`; `signal` ends it. */
export function followEvents(
  upstream: UpstreamClient,
  question: TranscriptQuestion,
  signal: AbortSignal,
): Promise<OpenStream> {
  const { serviceToken, conversationId, after } = question;
  return upstream.open(streamEvents, { params: { id: conversationId }, token: serviceToken, after }, signal);
}
