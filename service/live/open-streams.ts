/**
 * The open streams, so that a stop can end them: a server that only stops listening would wait for them forever. So can
 * a link, because the conversation has another owner then.
 */
export interface OpenStreams {
  /** Registers a stream's `end`; the returned function removes it. After `endAll` a new stream ends at once. */
  add(conversationId: string, end: () => void): () => void;
  /** The conversations that a customer has open somewhere. */
  followed(): ReadonlySet<string>;
  endAll(): void;
  /** Ends the streams of one conversation. */
  endOf(conversationId: string): void;
}

export function createOpenStreams(): OpenStreams {
  const ends = new Map<() => void, string>();
  let over = false;
  return {
    add(conversationId, end) {
      if (over) end();
      else ends.set(end, conversationId);
      return () => ends.delete(end);
    },
    followed: () => new Set(ends.values()),
    endAll() {
      over = true;
      for (const end of ends.keys()) end();
      ends.clear();
    },
    endOf(conversationId) {
      for (const [end, id] of ends) if (id === conversationId) end();
    },
  };
}
