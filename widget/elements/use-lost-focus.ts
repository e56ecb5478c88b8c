import { useEffect, useRef } from "preact/hooks";

/**
 * Calls `onLost` when the focused element left the document; otherwise people with a keyboard or screen reader would
 * start again at the top. Does nothing if the focus was moved before or during the render (SAY2), or in a frame that does
 * not have the focus: that would take it from the page around the frame.
 */
export function useLostFocus(onLost: () => void): void {
  const tell = useRef(onLost);
  tell.current = onLost;
  useEffect(() => {
    const ends = new AbortController();
    let last: EventTarget | null = document.activeElement;
    const take = ({ target }: Event) => {
      last = target;
    };
    document.addEventListener("focusin", take, { signal: ends.signal });
    const observer = new MutationObserver(() => {
      if (!(last instanceof Node) || last.isConnected) return;
      last = null;
      if (window.parent !== window && !document.hasFocus()) return;
      const active = document.activeElement;
      if (active === null || active === document.body) tell.current();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      ends.abort();
      observer.disconnect();
    };
  }, []);
}
