import { useEffect, useRef } from "preact/hooks";

interface Watcher {
  onclose: (() => void) | null;
  destroy(): void;
}

/** `CloseWatcher`, in browsers that close things by more than Escape, as phones do. TypeScript does not have its types yet. */
declare global {
  interface Window {
    readonly CloseWatcher?: new () => Watcher;
  }
}

/**
 * Runs `goBack` for the phone's back button or gesture, where the browser reports it. Adds no entry to the history, which
 * the frame shares with the site's page.
 */
export function useBackButton(goBack: (() => void) | undefined): void {
  const latest = useRef(goBack);
  latest.current = goBack;
  const isWanted = goBack !== undefined;
  useEffect(() => {
    if (!isWanted || !window.CloseWatcher) return;
    let watcher: Watcher;
    const watch = (Watcher: new () => Watcher) => {
      watcher = new Watcher();
      watcher.onclose = () => {
        latest.current?.();
        // A watcher works once. If this press closed only a question, the next one is for the panel.
        watch(Watcher);
      };
    };
    watch(window.CloseWatcher);
    return () => watcher.destroy();
  }, [isWanted]);
}
