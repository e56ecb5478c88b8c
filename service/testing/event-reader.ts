import { createParser } from "eventsource-parser";
import { ServiceEvent } from "../../shared/event.ts";

export interface ReadEvent {
  readonly id: string | undefined;
  readonly event: ServiceEvent;
}

export interface EventReader {
  /** Reads until `enough` is true of the events so far, and returns all of them. Throws when the stream ends first. */
  until(enough: (read: readonly ReadEvent[]) => boolean): Promise<readonly ReadEvent[]>;
  /** Reads to the end of the stream. */
  toEnd(): Promise<readonly ReadEvent[]>;
  /** The comments so far. */
  comments(): number;
  leave(): Promise<void>;
}

const inForm = (data: string): ServiceEvent => ServiceEvent.parse(JSON.parse(data));

/** Reads a `text/event-stream` answer with a third-party parser. `eventOf` checks each event against the contract. */
export function readEventStream(response: Response, eventOf = inForm): EventReader {
  if (!response.body) throw new Error("The answer has no body.");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const read: ReadEvent[] = [];
  let comments = 0;
  const parser = createParser({
    onEvent: ({ id, data }) => void read.push({ id, event: eventOf(data) }),
    onComment: () => {
      comments += 1;
    },
  });
  const step = async () => {
    const { done, value } = await reader.read();
    if (value) parser.feed(decoder.decode(value, { stream: true }));
    return !done;
  };
  return {
    async until(enough) {
      while (!enough(read)) if (!(await step())) throw new Error("The stream ended before.");
      return read;
    },
    async toEnd() {
      while (await step());
      return read;
    },
    comments: () => comments,
    leave: () => reader.cancel(),
  };
}

/** The seqs of the events so far, without live signals. */
export function seqsOf(read: readonly ReadEvent[]): number[] {
  return read.flatMap(({ event }) => ("seq" in event ? [event.seq] : []));
}
