import { computed } from "@preact/signals";
import type { BffClient } from "./bff-client.ts";
import { ChatFailure, failureFrom } from "./chat-failure.ts";
import type { ConversationLog } from "./conversation-log.ts";
import { applyEarlier } from "./log-state.ts";
import type { SessionModel } from "./session-model.ts";

/** How many pages are searched for an unconfirmed message. One further back stays unconfirmed; Retry settles it by its key. */
const MAX_PAGES_FOR_DOUBT = 10;

export interface EarlierMessagesDeps {
  readonly client: Pick<BffClient, "readEarlier">;
  readonly session: Pick<SessionModel, "withToken">;
  readonly log: ConversationLog;
}

/** The messages above those that a session starts with, page by page. */
export function createEarlierMessages({ client, session, log }: EarlierMessagesDeps) {
  const { state } = log;
  const hasMore = computed(() => state.value.nextBefore !== null);
  let loading: Promise<ChatFailure | undefined> | undefined;

  const loadPage = async (before: number): Promise<ChatFailure | undefined> => {
    try {
      const page = await session.withToken((token) => client.readEarlier(token, before));
      const next = applyEarlier(state.value, page);
      // Another conversation began meanwhile.
      if (next === state.value) throw new ChatFailure("not_confirmed");
      // Earlier messages are not announced.
      log.replace(next);
      return undefined;
    } catch (error) {
      return failureFrom(error);
    }
  };

  /** Loads one page. Returns the failure, if it could not be read. */
  const load = async (): Promise<ChatFailure | undefined> => {
    const { nextBefore } = state.value;
    if (nextBefore === null) return undefined;
    loading ??= loadPage(nextBefore).finally(() => {
      loading = undefined;
    });
    return loading;
  };

  return {
    /** Whether the log has earlier messages than those loaded. */
    hasMore,
    load,
    /** Searches the messages after `knownUpTo` for unconfirmed ones: one that is found has arrived. */
    async settleDoubts(knownUpTo: number): Promise<void> {
      for (let pages = 0; pages < MAX_PAGES_FOR_DOUBT; pages += 1) {
        const { nextBefore, pending } = state.value;
        if (pending.length === 0 || nextBefore === null || nextBefore <= knownUpTo + 1) return;
        if (await load()) return;
      }
    },
  };
}
