import type { ServiceEvent } from "../../shared/event.ts";

/** One event on its way: a durable one after its commit, or a signal of the moment. */
export interface Published {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly event: ServiceEvent;
}

export type Listener = (published: Published) => void;

/**
 * Delivers events to current subscribers. It stores nothing: the log is the truth, and a subscriber that was away reads
 * it. This form serves one process; one that spans processes has the same interface.
 */
export interface Hub {
  /** Never throws, never waits. Durable events of one conversation arrive in the order of their seq. */
  publish(published: Published): void;
  subscribe(conversationId: string, listener: Listener): () => void;
  /** Everything of one workspace, for the desk's live queue. */
  subscribeWorkspace(workspaceId: string, listener: Listener): () => void;
}

/** A hub within this process. `onError` hears of a listener that threw; the others still get their event. */
export function createHub(onError: (error: unknown) => void): Hub {
  const conversations = new Map<string, Set<Listener>>();
  const workspaces = new Map<string, Set<Listener>>();
  const tell = (listeners: Set<Listener> | undefined, published: Published) => {
    for (const listener of listeners ?? []) {
      try {
        listener(published);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    publish(published) {
      tell(conversations.get(published.conversationId), published);
      tell(workspaces.get(published.workspaceId), published);
    },
    subscribe: (id, listener) => add(conversations, id, listener),
    subscribeWorkspace: (id, listener) => add(workspaces, id, listener),
  };
}

function add(groups: Map<string, Set<Listener>>, id: string, listener: Listener): () => void {
  const group = groups.get(id) ?? new Set();
  groups.set(id, group);
  group.add(listener);
  return () => {
    group.delete(listener);
    if (group.size === 0 && groups.get(id) === group) groups.delete(id);
  };
}
