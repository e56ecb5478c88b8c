/** How often it is said at most; what was said holds for six seconds at the service. */
const AGAIN_MS = 3500;

/**
 * Tells the customer that this person is writing, on each change of a reply. Nobody waits for it, and a failure is no news:
 * nothing was claimed. Once the box is empty, because the reply is on its way, the next one is news again.
 */
export function createTellTyping(deps: {
  readonly tell: (conversationId: string) => Promise<void>;
  readonly setTimer: (run: () => void, ms: number) => () => void;
}): (conversationId: string, draft: string) => void {
  const said = new Map<string, () => void>();
  return (conversationId, draft) => {
    if (draft.trim() === "") {
      said.get(conversationId)?.();
      said.delete(conversationId);
      return;
    }
    if (said.has(conversationId)) return;
    said.set(
      conversationId,
      deps.setTimer(() => said.delete(conversationId), AGAIN_MS),
    );
    deps.tell(conversationId).catch(() => undefined);
  };
}
