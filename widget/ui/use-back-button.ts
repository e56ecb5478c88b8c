import { useEffect, useRef } from "preact/hooks";

interface Watcher {
  onclose: (() => void) | null;
  destroy(): void;
}

/** Of browsers that have a way back besides Escape, as phones do. TypeScript's own types do not have it yet. */
declare global {
  interface Window {
    readonly CloseWatcher?: new () => Watcher;
  }
}

/**
 * Runs `goBack` for the phone's back button or gesture, while there is one. No entry is made in the history that the frame
 * shares with the site's page: that stays the site's.
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
        // One of them serves once; where only a question was left, the next press is meant for the panel.
        watch(Watcher);
      };
    };
    watch(window.CloseWatcher);
    return () => watcher.destroy();
  }, [isWanted]);
}
