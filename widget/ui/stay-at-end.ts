import { useSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

/** Nearer to the end than this counts as reading the end. */
const NEAR_PX = 48;

/**
 * Keeps a scrolled log at its end while the reader is there, and leaves a reader who scrolled up where they are.
 * `scroller` scrolls, `content` is the one child that grows.
 */
export function useStayAtEnd() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useSignal(true);
  const lastTop = useRef(0);

  const toEnd = useCallback(() => {
    const box = scroller.current;
    isAtEnd.value = true;
    if (box) box.scrollTop = box.scrollHeight;
  }, [isAtEnd]);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    // Only a reader moves up: a log that grew under them has left the end without anybody scrolling.
    const isMovedUp = box.scrollTop < lastTop.current;
    lastTop.current = box.scrollTop;
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX) isAtEnd.value = true;
    else if (isMovedUp) isAtEnd.value = false;
  }, [isAtEnd]);

  useLayoutEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!box || !inner) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.peek()) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [isAtEnd]);

  return { scroller, content, isAtEnd, toEnd, onScroll };
}
