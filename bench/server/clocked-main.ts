import { fileURLToPath } from "node:url";
import { systemClock } from "../../shared/server/clock.ts";
import { start } from "../../start/start.ts";

/**
 * The product in one process, whose parent moves its clock: each message is a number of milliseconds to move it ahead,
 * with what is due then. Answers with the memory after a full collection. Needs `--expose-gc`.
 */
const SETTLE_MS = 100;
const repeated = new Set<() => void>();
const system = { ...systemClock };
let ahead = 0;

// The clock that everything in this process reads.
Object.assign(systemClock, {
  now: () => system.now() + ahead,
  every(ms: number, run: () => void) {
    repeated.add(run);
    const cancel = system.every(ms, run);
    return () => {
      repeated.delete(run);
      cancel();
    };
  },
});

const root = fileURLToPath(new URL("../..", import.meta.url));
await start({ env: process.env, root, writeLog: () => undefined });

process.on("message", (ms: number) => {
  ahead += ms;
  for (const run of repeated) run();
  setTimeout(() => {
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ heapUsed, rss });
  }, SETTLE_MS);
});
