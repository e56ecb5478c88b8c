import type { ServiceEvent } from "../../shared/event.ts";

/** A published event: a durable one after its commit, or a live signal. */
export interface Published {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly event: ServiceEvent;
}

export type Listener = (published: Published) => void;
export type RowListener = (conversationId: string) => void;

/**
 * Delivers events to current subscribers. It stores nothing: a subscriber that was away reads the log. This
 * implementation serves one process; one that spans processes has the same interface.
 */
export interface Hub {
  /** Never throws, never waits. Durable events of one conversation arrive in the order of their seq. */
  publish(published: Published): void;
  subscribe(conversationId: string, listener: Listener): () => void;
  /** Everything of one workspace, for the desk's live queue. */
  subscribeWorkspace(workspaceId: string, listener: Listener): () => void;
  /** The conversation's row at the desk changed without an event, by what only the team may see. */
  touch(workspaceId: string, conversationId: string): void;
  subscribeRows(workspaceId: string, listener: RowListener): () => void;
}

/** A hub within this process. `onError` receives errors of listeners; the other listeners still get the event. */
export function createHub(onError: (error: unknown) => void): Hub {
  const conversations = new Map<string, Set<Listener>>();
  const workspaces = new Map<string, Set<Listener>>();
  const rows = new Map<string, Set<RowListener>>();
  const tell = <Said>(listeners: Set<(said: Said) => void> | undefined, said: Said) => {
    for (const listener of listeners ?? []) {
      try {
        listener(said);
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
    touch: (workspaceId, conversationId) => tell(rows.get(workspaceId), conversationId),
    subscribeRows: (id, listener) => add(rows, id, listener),
  };
}

function add<L>(groups: Map<string, Set<L>>, id: string, listener: L): () => void {
  const group = groups.get(id) ?? new Set<L>();
  groups.set(id, group);
  group.add(listener);
  return () => {
    group.delete(listener);
    if (group.size === 0 && groups.get(id) === group) groups.delete(id);
  };
}
