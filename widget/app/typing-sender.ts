import { untracked } from "@preact/signals";
import type { tellTyping } from "../../shared/api/conversation.ts";
import { request } from "./bff-client.ts";
import type { ConversationStreamDeps } from "./conversation-stream.ts";

const TARGET = { method: "POST", path: "/api/conversation/typing" } satisfies Pick<
  typeof tellTyping,
  "method" | "path"
>;

/** How often it is said at most; a little more than the BFF's three seconds. A request that takes longer is given up. */
const AGAIN_MS = 3500;

/**
 * Tells the other side that the customer is writing, on each change of the draft by their own hand. Nobody waits for it:
 * it goes past the queue of messages, one at a time, and whether it arrived is nobody's business here.
 */
export function createTypingSender(
  deps: Pick<ConversationStreamDeps, "environment" | "session" | "log" | "following">,
): (draft: string) => void {
  const { environment, session, log, following } = deps;
  let isSaid = false;

  const isWorthIt = (draft: string) => {
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
      if (isSaid || !isWorthIt(draft)) return;
      isSaid = true;
      const given = new AbortController();
      environment.setTimer(() => {
        isSaid = false;
        given.abort();
      }, AGAIN_MS);
      // Nothing was claimed, so there is nothing to take back.
      say(given.signal).catch(() => undefined);
    });
}
