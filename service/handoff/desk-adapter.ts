import type { HandoffAdapter } from "./adapter.ts";

/** The built-in desk: its queue is the service's own store, so the commit itself is the whole target. */
export const deskAdapter: HandoffAdapter = {
  id: "desk",
  prepare: async () => ({ discard: async () => undefined }),
};
