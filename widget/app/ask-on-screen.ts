import type { RequestState } from "./conversation-requests.ts";
import type { SessionModel } from "./session-model.ts";

/**
 * Makes a call about the conversation on the screen. A retry reads the session first, because the customer may have gone
 * on in another conversation on another device: then that one is shown, and the call reaches neither.
 */
export async function askOnScreen<T>(
  session: Pick<SessionModel, "refresh" | "withToken">,
  { kind }: RequestState,
  call: (token: string) => Promise<T>,
): Promise<T> {
  if (kind === "failed") await session.refresh();
  return session.withToken(call);
}
