import { fileURLToPath } from "node:url";
import { enableOwnCompileCache } from "../shared/server/compile-cache.ts";

// Files contain what customers wrote: only the owner may read them, even in a data folder that is open to others.
process.umask(0o077);
// With the cache, everything imported below loads in half the time.
enableOwnCompileCache(process);
const { systemClock } = await import("../shared/server/clock.ts");
const { createLineWriter } = await import("../shared/server/line-writer.ts");
const { supervise } = await import("../shared/server/supervise.ts");
const { start } = await import("../start/start.ts");

const root = fileURLToPath(new URL("..", import.meta.url));
const { write: writeLog, flush } = createLineWriter(process.stdout.fd, systemClock);

try {
  const started = await start({ env: process.env, root, writeLog });
  supervise(process, { ...started, clock: systemClock, flush });
  // The log's writer ignores a closed output, which must not end a process that serves.
  writeLog(await started.greeting());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  flush();
  process.exit(1);
}
