import { useEffect, useRef } from "preact/hooks";

/**
 * Calls `onLost` when what had the focus is gone from the document: else a keyboard's and a screen reader's user begins
 * anew at the top. What moves the focus itself, before or while it redraws, is left alone (SAY2).
 */
export function useFocusKept(onLost: () => void): void {
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
      const active = document.activeElement;
      if (document.hasFocus() && (active === null || active === document.body)) tell.current();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      ends.abort();
      observer.disconnect();
    };
  }, []);
}
