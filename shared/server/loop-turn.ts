const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}

/**
 * Waits for a turn of the event loop that no other large piece of work takes. Between two turns the loop serves every
 * socket, so a piece delays other requests by its own length and never by the length of the queue.
 * There is one queue for the process, because there is one event loop.
 */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}
