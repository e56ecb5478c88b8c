import { demand } from "./coded-error.ts";

export type Handler = (event: object) => void;
type Entry = readonly [type: string, handler: Handler, once: boolean];

export const handlers = new Set<Entry>();
let count = 0;

/** Calls the page's handlers, each in its own microtask: one that throws stops neither us nor the next. */
export function emit(type: string, detail?: object, entries: Iterable<Entry> = handlers): void {
  const event = { type, id: `${++count}`, at: new Date().toISOString(), ...detail };
  for (const entry of entries) {
    if (entry[0] !== type) continue;
    if (entry[2]) handlers.delete(entry);
    queueMicrotask(() => entry[1](event));
  }
}

/** Calls `handler` on each event of `type`; returns the unsubscriber. For `ready` it is called at once: the API is ready. */
export function on(type: string, handler: Handler, once = false): () => void {
  const entry = [type, handler, once] as const;
  demand(typeof handler === "function");
  handlers.add(entry);
  if (type === "ready") emit(type, {}, [entry]);
  return () => void handlers.delete(entry);
}

/** Removes `handler`, or without one every handler of that type. */
export function off(type: string, handler?: Handler): void {
  for (const entry of handlers) {
    if (entry[0] === type && (!handler || entry[1] === handler)) handlers.delete(entry);
  }
}
