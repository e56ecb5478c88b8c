import { untracked, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import type { Chat } from "../../app/chat.ts";
import type { Environment } from "../../app/environment.ts";
import type { Follow } from "../../elements/follow.ts";

/** The delay before a page that could not be read is tried again, unless the server asks for a longer one. */
const PAUSE_MS = 5000;

/**
 * Loads earlier messages when less than one view of the log is left above the reader. A page that could not be read is
 * tried again, because a reader at the top can't scroll any further.
 */
export function useEarlier(
  { conversation, session }: Pick<Chat, "conversation" | "session">,
  scroller: RefObject<HTMLElement | null>,
  setTimer: Environment["setTimer"],
): () => void {
  const isPaused = useRef(false);
  const load = useCallback(() => {
    const box = scroller.current;
    const { earlier } = conversation;
    // A hidden log has no height.
    const isNear = box && box.clientHeight > 0 && box.scrollTop < box.clientHeight;
    // Without a session a try would begin one, and ask the site who its visitor is.
    if (!isNear || !earlier.hasMore.peek() || isPaused.current || session.state.peek().kind !== "ready")
      return;
    void earlier.load().then((failure) => {
      if (!failure || isPaused.current) return;
      isPaused.current = true;
      const again = () => {
        isPaused.current = false;
        load();
      };
      setTimer(again, Math.max(PAUSE_MS, (failure.retryAfter ?? 0) * 1000));
    });
  }, [conversation, session, scroller, setTimer]);
  useSignalEffect(() => {
    if (session.state.value.kind === "ready") untracked(load);
  });
  return load;
}

/** Scrolls to the customer's own new message, and keeps the scroll position when earlier messages are added above. */
export function useStablePlace(
  now: { readonly first: number | undefined; readonly own: string | undefined },
  { toEnd, mark }: Pick<Follow, "toEnd" | "mark">,
): void {
  const known = useRef<Partial<typeof now>>({});
  const { first, own } = known.current;
  const isLonger = now.first !== undefined && first !== undefined && now.first < first;
  // Measured before the earlier messages are in the document.
  const back = isLonger ? mark() : undefined;
  useLayoutEffect(() => {
    known.current = now;
    if (back) back();
    else if (now.own !== own) toEnd();
  }, [now.first, now.own]);
}
