/** Passes values to all subscribers, in the order in which they subscribed. */
export interface Emitter<T> {
  readonly emit: (value: T) => void;
  /** Returns an unsubscriber. */
  readonly subscribe: (listener: (value: T) => void) => () => void;
}

export function createEmitter<T>(): Emitter<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value) {
      for (const listener of listeners) listener(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
