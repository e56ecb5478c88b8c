export type Emitter<T> = ReturnType<typeof createEmitter<T>>;

/** Passes values to all subscribers, in the order in which they subscribed. */
export function createEmitter<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    emit: (value: T): void => {
      for (const listener of listeners) listener(value);
    },
    /** Returns an unsubscriber. */
    subscribe: (listener: (value: T) => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
