import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../bff/testing/free-port.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Linux counts processor time in hundredths of a second (`getconf CLK_TCK`). */
const TICK_MS = 10;
const KB = 1024;
const START_MS = 30_000;

/** A server in its own process, with the kernel's counters for it. */
export interface Program {
  readonly url: string;
  /** Processor time since its start, in ms. */
  cpuMs(): number;
  /** How long its main thread was ready to run and had no processor, in ms. */
  waitedMs(): number;
  /** Resident memory, in bytes. */
  memoryBytes(): number;
  /** Sends a message to a program that answers each with one. Rejects when it ends first. */
  ask(message: number): Promise<unknown>;
  stop(): Promise<void>;
}

const NS = 1_000_000;

/** How long the main thread of a process was ready to run and had no processor, in ms. */
export function waitedMs(process: number | "self"): number {
  return Number(readFileSync(`/proc/${process}/schedstat`, "utf8").split(" ")[1]) / NS;
}

/** The kernel's counters come from Linux's `/proc`; other systems are not supported. */
export function canMeasure(): boolean {
  return existsSync("/proc/self/stat");
}

/**
 * Starts `node FILE` on a free port with its own data folder, and waits until `path` answers 200.
 * @throws Error with what the program printed, when it ends or is not ready in 30 s
 */
export async function startProgram(
  file: string,
  {
    env = {},
    path = "/",
    flags = [],
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly path?: string;
    /** Node's own. */
    readonly flags?: readonly string[];
  } = {},
): Promise<Program> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const child = spawn(process.execPath, [...flags, file], {
    cwd: ROOT,
    env: { PORT: String(port), DATA_DIR: dataDir, HOME: dataDir, LOG_LEVEL: "info", ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let printed = "";
  const note = (chunk: string) => {
    // The log of a run is long, and only its beginning says why a start failed.
    if (printed.length < 10_000) printed += chunk;
  };
  child.stdout?.setEncoding("utf8").on("data", note);
  child.stderr?.setEncoding("utf8").on("data", note);
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${file} ended: ${printed}`)));
  // Most programs are never asked.
  ended.catch(() => undefined);
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_MS;
  while (!(await answers(url + path))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${file} did not start: ${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const read = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, "utf8");
  return {
    url,
    cpuMs() {
      // The second field is the program's name, which may contain spaces, so fields are counted after its closing
      // bracket.
      const fields = read("stat").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    },
    waitedMs: () => waitedMs(child.pid ?? Number.NaN),
    memoryBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(read("status"))?.[1] ?? Number.NaN) * KB,
    async ask(message) {
      child.send(message);
      const [answer] = (await Promise.race([once(child, "message"), ended])) as [unknown];
      return answer;
    },
    stop,
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    // Not listening yet.
    return false;
  }
}
