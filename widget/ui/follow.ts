import { useSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

/** Nearer to the end than this counts as reading the end. */
const NEAR_PX = 48;

/** So much stays free above what is held at the top. */
const ROOM_PX = 12;

/**
 * Where the reader is: at the end, and the log follows what comes; at the beginning of something longer than the view,
 * which is held there to be read; or somewhere of their own choice, where nothing moves them.
 */
export type Place = "end" | "held" | "away";

/**
 * Keeps a scrolled log where its reader is. `scroller` scrolls, `content` is the one child of it that grows.
 * @param newestOf what has to be seen from its beginning on, if the log ends in such a thing
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
    if (box) box.scrollTop = box.scrollHeight;
  }, [place]);

  /** Shows `element` at the top, or the end where that shows it as well. */
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
    // Only a reader moves up: a log that grew under them has left the end without anybody scrolling.
    const isMovedUp = box.scrollTop < lastTop.current;
    lastTop.current = box.scrollTop;
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX) place.value = "end";
    else if (isMovedUp) place.value = "away";
  }, [place]);

  useLayoutEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!box || !inner) return;
    const observer = new ResizeObserver(() => {
      if (place.peek() !== "end") return;
      const element = newest.current(inner);
      if (element) show(element);
      else box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [place, show]);

  return { scroller, content, place, toEnd, show, onScroll };
}
