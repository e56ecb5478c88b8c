import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { watchProgram } from "../../service/testing/watched-program.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface BffProcess {
  readonly child: ChildProcess;
  /** Resolves when it reports that it serves; rejects with its output if it ends before. */
  readonly ready: Promise<void>;
  /** Its exit code, or null if a signal ended it. */
  readonly exit: Promise<number | null>;
}

/** `npm start` in a separate process, which is killed after the test. Its service's answers are checked then. */
export function startBff(env: Record<string, string>): BffProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const watched = watchProgram();
  const child = spawn(process.execPath, [...watched.flags, MAIN], {
    env: { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: "silent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exit = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
    watched.requireDescribed();
  });
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
        if (/Parley is (ready|running)/.test(output)) resolve();
      });
    }
    void exit.then(() => reject(new Error(`The process ended: ${output}`)));
  });
  ready.catch(() => undefined);
  return { child, ready, exit };
}

/** A folder that is removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-bff-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
