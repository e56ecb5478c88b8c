import { closeSync, openSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

// What is written here holds what customers wrote: its owner alone may read it, also in a data folder that is open to others.
process.umask(0o077);
// Before anything else is loaded: with the cache, the rest starts in half the time.
enableCompileCache();
const { pino } = await import("pino");
const { start } = await import("./start.ts");

const root = fileURLToPath(new URL("..", import.meta.url));
const logTo = pino.destination({ fd: 1, sync: false });

const hadTerminal = isatty(0);
// Until it has started: whoever asks for the routing to be read again must not end the process by it.
let onHangUp: () => void = () => {
  isHangUpDue = true;
};
let isHangUpDue = false;
process.on("SIGHUP", () => onHangUp());

try {
  const started = await start({ env: process.env, root, logTo });
  process.stdout.write(started.greeting);

  let isStopping = false;
  const stop = () => {
    // The second one means: now.
    if (isStopping) process.exit(1);
    isStopping = true;
    started.stop().then(
      () => exit(0),
      () => exit(1),
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  onHangUp = () => {
    if (isStopping) return;
    if (hadTerminal && !hasTerminal()) stop();
    else started.reloadRouting();
  };
  if (isHangUpDue) onHangUp();
  // The last resort: one request's fault must not end everyone's conversation. Names and places alone are logged.
  const note = (error: unknown) => {
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: "" };
    const at = stack?.split("\n").filter((line) => line.startsWith("    at "));
    started.log.error({ name, at }, "uncaught");
  };
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
}

/** A terminal that is closed sends the same signal as an operator who changed the routing, and takes itself away. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

function exit(code: number): void {
  try {
    logTo.flushSync();
  } finally {
    process.exit(code);
  }
}
