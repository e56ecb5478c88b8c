import { closeSync, openSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { compileCacheFolder } from "../shared/server/compile-cache.ts";

// Files contain what customers wrote: only the owner may read them, even in a data folder that is open to others.
process.umask(0o077);
// With the cache, everything imported below loads in half the time.
const cache = compileCacheFolder(process.env["DATA_DIR"]?.trim() || "./data", process.getuid?.());
if (cache !== undefined) enableCompileCache(cache);
const { systemClock } = await import("../shared/server/clock.ts");
const { createLineWriter } = await import("../shared/server/line-writer.ts");
const { supervise } = await import("../shared/server/supervise.ts");
const { start } = await import("./start.ts");

const root = fileURLToPath(new URL("..", import.meta.url));
const { write: writeLog, flush } = createLineWriter(process.stdout.fd, systemClock);

const hadTerminal = isatty(0);
// A SIGHUP during the start must not end the process; it is handled after the start.
let isHangUpDue = false;
let onHangUp = () => {
  isHangUpDue = true;
};
process.on("SIGHUP", () => onHangUp());

try {
  const started = await start({ env: process.env, root, writeLog });
  const stop = supervise(process, {
    log: started.log,
    clock: systemClock,
    stop() {
      onHangUp = () => undefined;
      return started.stop();
    },
    flush,
  });
  onHangUp = () => (hadTerminal && !hasTerminal() ? stop() : started.reloadRouting());
  if (isHangUpDue) onHangUp();
  process.stdout.write(started.greeting);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  flush();
  process.exit(1);
}

/** A closing terminal sends the same signal as an operator who changed the routing, and then stdout is gone. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
