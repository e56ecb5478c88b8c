import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { watchProgram } from "../../service/testing/watched-program.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLOCK_SHIFT = fileURLToPath(new URL("../faults/clock-shift-main.ts", import.meta.url));
const READY_MS = 120_000;

/** One program of the product in its own process, on the same port for its whole life. */
export interface Program {
  readonly port: number;
  readonly url: string;
  /** Its output, over all its starts. */
  readonly output: () => string;
  /** Starts it, and waits until it reports that it is ready. */
  readonly start: () => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /**
   * Sends the signal and waits for the end; returns the exit code, null if the signal ended it. Rejects if the service's
   * answers deviated from its document.
   */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Open file descriptors, including sockets; 0 if the system does not provide the number. */
  readonly openFiles: () => number;
  readonly pid: () => number;
}

export interface ProgramOptions {
  /** Path of its main file, from the root of the repository. */
  readonly main: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  /** It counts as started when this path answers 200, and it has printed `greeting`. */
  readonly path?: string;
  readonly greeting?: string;
}

export function createProgram(options: ProgramOptions): Program {
  const { main, port, env, path = "/readyz", greeting = "" } = options;
  const watched = watchProgram();
  let child: ChildProcess | undefined;
  let printed = "";
  const url = `http://127.0.0.1:${port}`;
  const running = (): ChildProcess => {
    if (!child || child.exitCode !== null) throw new Error(`${main} is not running: ${printed.slice(-2000)}`);
    return child;
  };
  const pid = () => running().pid ?? 0;

  async function untilReady(started: ChildProcess): Promise<void> {
    const before = printed.length;
    const deadline = performance.now() + READY_MS;
    while (performance.now() < deadline) {
      if (started.exitCode !== null || started.signalCode !== null) break;
      const isReady = await fetch(url + path).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isReady && printed.includes(greeting, before)) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`${main} did not become ready: ${printed.slice(-2000)}`);
  }

  return {
    port,
    url,
    pid,
    output: () => printed,
    async start() {
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      const shift = env["CLOCK_SHIFT_FILE"] === undefined ? [] : ["--import", CLOCK_SHIFT];
      const started = spawn(process.execPath, [...watched.flags, ...shift, main], {
        cwd: ROOT,
        env: { PATH, NODE_COMPILE_CACHE, PORT: String(port), ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          printed += text;
        });
      }
      await untilReady(started);
    },
    signal: (signal) => void running().kill(signal),
    async end(signal) {
      const ending = child;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null;
      const exited = once(ending, "exit");
      ending.kill(signal);
      await exited;
      watched.requireDescribed();
      return ending.exitCode;
    },
    openFiles() {
      try {
        return readdirSync(`/proc/${pid()}/fd`).length;
      } catch {
        // No /proc on this system, so nothing is checked.
        return 0;
      }
    },
  };
}
