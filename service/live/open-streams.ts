/** The streams that are open now, so that a stop ends them: a server that only stops listening waits for them forever. */
export interface OpenStreams {
  /** Registers a stream's `end`; the returned function removes it. After `endAll` a new stream ends at once. */
  add(end: () => void): () => void;
  endAll(): void;
}

export function createOpenStreams(): OpenStreams {
  const ends = new Set<() => void>();
  let over = false;
  return {
    add(end) {
      if (over) end();
      else ends.add(end);
      return () => ends.delete(end);
    },
    endAll() {
      over = true;
      for (const end of ends) end();
      ends.clear();
    },
  };
}
