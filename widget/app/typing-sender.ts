import { type ReadonlySignal, untracked } from "@preact/signals";
import type { tellTyping } from "../../shared/api/conversation.ts";
import { createTypingThrottle } from "../client/typing-throttle.ts";
import { request, type TargetOf } from "./bff-client.ts";
import type { Following } from "./connection.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Environment } from "./environment.ts";
import type { SessionModel } from "./session-model.ts";

const TYPING: TargetOf<typeof tellTyping> = "POST /api/conversation/typing";

export interface TypingSenderDeps {
  readonly environment: Pick<Environment, "fetch" | "isWriting" | "setTimer">;
  readonly session: SessionModel;
  readonly log: ConversationLog;
  readonly following: ReadonlySignal<Following>;
}

/**
 * Sends that the customer is typing, when they change the draft themselves. It does not wait for queued messages, one
 * request runs at a time, and nothing waits for its answer.
 */
export function createTypingSender(deps: TypingSenderDeps): (draft: string) => unknown {
  const { environment, session, log, following } = deps;
  const sendTyping = createTypingThrottle(async (signal) => {
    const token = await session.ensure();
    // Read to its end, so that its connection is free for a message.
    await (await request(environment, TYPING, { token, body: {} }, signal)).text();
  }, environment.setTimer);
  const isDue = (draft: string) =>
    draft.trim() !== "" &&
    environment.isWriting() &&
    following.value.stream === "live" &&
    session.features.value.typing &&
    log.state.value.conversation?.status === "open";
  return (draft) => untracked(() => isDue(draft) && sendTyping());
}
