import { type ReadonlySignal, untracked } from "@preact/signals";
import type { tellTyping } from "../../shared/api/conversation.ts";
import { request } from "./bff-client.ts";
import type { Following } from "./connection.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Environment } from "./environment.ts";
import type { SessionModel } from "./session-model.ts";

const TARGET = { method: "POST", path: "/api/conversation/typing" } satisfies Pick<
  typeof tellTyping,
  "method" | "path"
>;

/** Sent at most this often, a little more than the BFF's three seconds. A request that takes longer is aborted. */
const AGAIN_MS = 3500;

export interface TypingSenderDeps {
  readonly environment: Pick<Environment, "fetch" | "isWriting" | "setTimer">;
  readonly session: SessionModel;
  readonly log: ConversationLog;
  readonly following: ReadonlySignal<Following>;
}

/**
 * Sends that the customer is writing, when they change the draft themselves. It does not wait for queued messages, one
 * request runs at a time, and nobody waits for its answer.
 */
export function createTypingSender(deps: TypingSenderDeps): (draft: string) => void {
  const { environment, session, log, following } = deps;
  let isSent = false;

  const isDue = (draft: string) => {
    return (
      draft.trim() !== "" &&
      environment.isWriting?.() === true &&
      following.value.stream === "live" &&
      session.features.value.typing &&
      log.state.value.conversation?.status === "open"
    );
  };
  const say = async (signal: AbortSignal) => {
    const token = await session.ensure();
    // Read to its end, so that its connection is free for a message.
    await (await request(environment, TARGET, { token, body: {} }, signal)).text();
  };

  return (draft) =>
    untracked(() => {
      if (isSent || !isDue(draft)) return;
      isSent = true;
      const given = new AbortController();
      environment.setTimer(() => {
        isSent = false;
        given.abort();
      }, AGAIN_MS);
      // Nothing was claimed, so there is nothing to take back.
      say(given.signal).catch(() => undefined);
    });
}
