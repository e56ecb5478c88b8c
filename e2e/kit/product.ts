import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../bff/testing/free-port.ts";
import { watchProgram } from "../../service/testing/watched-program.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Everything runs as `npm start` runs it: one process, one port, embedded defaults, its own data folder. */
export interface Product {
  readonly port: number;
  /** The demo site; its widget comes from the other loopback name. */
  readonly site: string;
  /** The address of the desk. */
  readonly desk: string;
  readonly dataDir: string;
  /** The process's output since its last start. */
  readonly output: () => string;
  /** The one-time link that the first start prints. */
  readonly setupLink: () => string;
  /** SIGKILL, then a new process on the same data and port. */
  readonly crash: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** SIGTERM; returns the exit code. */
  readonly stop: () => Promise<number | null>;
  /** Ends the process and removes the data. Rejects if the service's answers deviated from its document. */
  readonly dispose: () => Promise<void>;
}

/** Only a start that hangs takes so long. */
const READY_MS = 120_000;

/** In each greeting, which also has the set-up link. It is printed after the first answer. */
const GREETED = "The tag";

/** Resolves when `path` answers 200 and the greeting is printed; rejects when the process ends first. */
async function untilReady(
  child: ChildProcess,
  port: number,
  path: string,
  output: () => string,
): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the product ended: ${output()}`);
    const ready = await fetch(`http://127.0.0.1:${port}${path}`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready && output().includes(GREETED)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not ready after ${READY_MS} ms: ${output()}`);
}

/** Starts the product; `env` adds to its environment. It counts as started when `path` answers 200. */
export async function startProduct(env: Record<string, string> = {}, path = "/readyz"): Promise<Product> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "parley-e2e-"));
  const watched = watchProgram();
  let child: ChildProcess | undefined;
  let printed = "";

  async function start(): Promise<void> {
    printed = "";
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const started = spawn(process.execPath, [...watched.flags, "bff/main.ts"], {
      cwd: ROOT,
      env: { PATH, NODE_COMPILE_CACHE, HOME: dataDir, PORT: String(port), DATA_DIR: dataDir, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        printed += chunk;
      });
    }
    await untilReady(started, port, path, () => printed);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null) return running?.exitCode ?? null;
    const exited = once(running, "exit");
    running.kill(signal);
    await exited;
    return running.exitCode;
  }

  await start();
  return {
    port,
    dataDir,
    site: `http://localhost:${port}/`,
    desk: `http://127.0.0.1:${port}/desk`,
    output: () => printed,
    setupLink: () => {
      const link = printed.match(/https?:\/\/\S+#setup=[\w-]+/)?.[0];
      if (!link) throw new Error(`no set-up link was printed: ${printed}`);
      return link;
    },
    start,
    crash: async () => {
      await end("SIGKILL");
      await start();
    },
    stop: () => end("SIGTERM"),
    dispose: async () => {
      await end("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
      watched.requireDescribed();
    },
  };
}
