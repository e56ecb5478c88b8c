import type { Room } from "./environment.ts";

/**
 * The browser's own way to share a line: a channel and a lock of that name among the tabs of this site.
 * @throws where it has none of them, or gives none to a frame
 */
export function joinRoom(name: string, hear: (said: unknown) => void): Room {
  // No types know that a page without TLS has none.
  const locks = (navigator as { readonly locks?: LockManager }).locks;
  if (!locks) throw new TypeError("no locks");
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => hear(data);
  let isLeft = false;
  let waiting = new AbortController();
  let release = (): void => undefined;
  return {
    post: (said) => channel.postMessage(said),
    lead(isTaken, onLead, onLost) {
      waiting.abort();
      const mine = new AbortController();
      waiting = mine;
      const held = () =>
        new Promise<void>((resolve) => {
          if (isLeft) return resolve();
          release = resolve;
          onLead();
        });
      // A lock that is taken asks nobody, and can't be told to wait no longer.
      locks.request(name, isTaken ? { steal: true } : { signal: mine.signal }, held).catch(() => {
        if (!isLeft && waiting === mine) onLost();
      });
    },
    leave() {
      isLeft = true;
      waiting.abort();
      release();
      channel.close();
    },
  };
}
