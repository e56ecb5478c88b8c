import { demand } from "./coded-error.ts";

export type Handler = (event: object) => void;
type Entry = readonly [type: string, handler: Handler, once: boolean];

/** The page's handlers. */
export const handlers = new Set<Entry>();
let count = 0;

/** Tells the page's handlers. Each runs in a task of its own: one that throws stops neither us nor the next. */
export function emit(type: string, detail?: object, entries: Iterable<Entry> = handlers): void {
  const event = { type, id: `${++count}`, at: new Date().toISOString(), ...detail };
  for (const entry of entries) {
    if (entry[0] !== type) continue;
    if (entry[2]) handlers.delete(entry);
    queueMicrotask(() => entry[1](event));
  }
}

/** Calls `handler` on each event of `type`; returns what stops it. Who can ask for `ready` is late: it is, already. */
export function on(type: string, handler: Handler, once = false): () => void {
  const entry = [type, handler, once] as const;
  demand(typeof handler === "function");
  handlers.add(entry);
  if (type === "ready") emit(type, {}, [entry]);
  return () => void handlers.delete(entry);
}

/** Without a handler: all of that type. */
export function off(type: string, handler?: Handler): void {
  for (const entry of handlers) {
    if (entry[0] === type && (!handler || entry[1] === handler)) handlers.delete(entry);
  }
}
