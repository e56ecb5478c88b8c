import type { VNode } from "preact";
import { useMemo } from "preact/hooks";

/** Renders `what`, or returns the element that was rendered for it in the same state. */
export type Keep = (what: object, state: string, draw: () => VNode) => VNode;

/** Caches rendered elements until `stale` changes. */
export function useKeep(stale: readonly unknown[]): Keep {
  const known = useMemo(() => new WeakMap<object, { state: string; drawn: VNode }>(), [...stale]);
  return (what, state, draw) => {
    const old = known.get(what);
    if (old?.state === state) return old.drawn;
    const drawn = draw();
    known.set(what, { state, drawn });
    return drawn;
  };
}
