import type { Room } from "./environment.ts";

/**
 * The tabs of this site that share a name: a channel and a lock. Undefined if the browser does not provide them to this
 * frame.
 */
export function joinRoom(name: string, hear: (said: unknown) => void): Room | undefined {
  // The types do not say that a page without TLS has no locks.
  const { locks } = navigator as { readonly locks?: LockManager };
  const channel = openChannel(name);
  if (!locks || !channel) return undefined;
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
      // A request that steals the lock does not wait, and takes no signal.
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

function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    // Refused to a frame of another site: each tab has its own stream.
    return undefined;
  }
}
