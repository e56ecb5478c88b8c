import { settle } from "./manual-time.ts";
import { problem, type ScriptedBff } from "./scripted-bff.ts";
import type { startConversation } from "./start-chat.ts";

/** The BFF knows none of its sessions any more, and the next one has no conversation. */
export function expire({ state }: ScriptedBff) {
  state.tokens.clear();
  state.conversation = null;
}

type Started = Pick<Awaited<ReturnType<typeof startConversation>>, "bff" | "chat">;

/** How a request that is on its way may find that its session is over. */
export const WAYS: Record<string, (started: Started, route: string, act: () => unknown) => Promise<void>> = {
  async refused({ bff }, route, act) {
    expire(bff);
    bff.script(
      route,
      () => problem("session_expired"),
      () => problem("no_conversation"),
    );
    act();
    await settle();
  },
  async unanswered({ bff, chat }, route, act) {
    const held = Promise.withResolvers<Response>();
    bff.script(route, () => held.promise);
    act();
    await settle();
    expire(bff);
    await chat.session.refresh();
    held.reject(new TypeError("Failed to fetch"));
    await settle();
  },
};
