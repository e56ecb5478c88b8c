import { isFailure } from "./chat-failure.ts";
import type { SessionModel } from "./session-model.ts";

/**
 * Makes a call about the conversation on the screen. If a retry is not confirmed either, the session is read again: the
 * customer may have gone on in another conversation on another device, which is shown then. A call for the former one does not reach the service.
 */
export async function askOnScreen<T>(
  session: Pick<SessionModel, "refresh" | "withToken">,
  { kind }: { readonly kind: string },
  call: (token: string) => Promise<T>,
): Promise<T> {
  try {
    return await session.withToken(call);
  } catch (error) {
    // A failure of it is in the session's state.
    if (kind === "failed" && isFailure(error, "not_confirmed"))
      await session.refresh().catch(() => undefined);
    throw error;
  }
}
