import type { HandoffAdapter } from "./adapter.ts";
import type { AdapterKind } from "./adapter-kind.ts";

const nothing = async () => undefined;

/** The built-in desk. It reads the service's own log and queue, so the store's commit is all that a hand-off needs. */
export const deskAdapter: HandoffAdapter = {
  id: "desk",
  prepare: async ({ conversationId }) => ({ ref: conversationId, commit: nothing, discard: nothing }),
};

export const deskKind: AdapterKind = {
  id: "desk",
  configure: () => ({ id: "desk", open: () => deskAdapter }),
};
