import { useSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

/** Nearer to the end than this counts as reading the end. */
const NEAR_PX = 48;

/** Space above an answer that is aligned to the top. */
const ROOM_PX = 12;

/**
 * The reader's place. At the end, the log scrolls with new messages. At the start of an answer that is longer than the
 * view, the log stays there. Anywhere else the reader scrolled by themselves, and nothing moves them.
 */
export type Place = "end" | "held" | "away";

export type Follow = ReturnType<typeof useFollow>;

/**
 * Keeps a log's scroll position where its reader is. `scroller` scrolls; `content` is its only child, which grows.
 * @param newestOf returns the element that must be visible from its start, if the log ends with one
 */
export function useFollow(newestOf: (content: HTMLElement) => Element | undefined) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const place = useSignal<Place>("end");
  const lastTop = useRef(0);
  const newest = useRef(newestOf);
  newest.current = newestOf;

  const toEnd = useCallback(() => {
    const box = scroller.current;
    place.value = "end";
    if (!box) return;
    box.scrollTop = box.scrollHeight;
    lastTop.current = box.scrollTop;
  }, [place]);

  /** Scrolls to the end if that shows the start of `element`, otherwise aligns it to the top. */
  const show = useCallback(
    (element: Element) => {
      const box = scroller.current;
      if (!box) return;
      const end = box.scrollHeight - box.clientHeight;
      const top = element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
      box.scrollTop = Math.min(end, top - ROOM_PX);
      place.value = end - box.scrollTop < NEAR_PX ? "end" : "held";
    },
    [place],
  );

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    // Only a reader scrolls up. A log that grew has left the end too, but nobody scrolled.
    const isMovedUp = box.scrollTop < lastTop.current;
    lastTop.current = box.scrollTop;
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX) place.value = "end";
    else if (isMovedUp) place.value = "away";
  }, [place]);

  /** Measures the reader's distance from the end, and returns a function that restores it after the log grew above. */
  const mark = useCallback(() => {
    const fromEnd = scroller.current && scroller.current.scrollHeight - scroller.current.scrollTop;
    return () => {
      const box = scroller.current;
      if (!box || fromEnd === null || place.peek() === "end") return;
      box.scrollTop = box.scrollHeight - fromEnd;
      lastTop.current = box.scrollTop;
    };
  }, [place]);

  useLayoutEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!box || !inner) return;
    const observer = new ResizeObserver(() => {
      if (place.peek() !== "end") return;
      const element = newest.current(inner);
      if (element) show(element);
      else toEnd();
    });
    observer.observe(box);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [place, show, toEnd]);

  return { scroller, content, place, toEnd, show, mark, onScroll };
}
