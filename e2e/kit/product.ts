import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../bff/testing/free-port.ts";
import { createProgram } from "./program.ts";

/** Everything runs as `npm start` runs it: one process, one port, embedded defaults, its own data folder. */
export interface Product {
  readonly port: number;
  /** The demo site; its widget comes from the other loopback name. */
  readonly site: string;
  /** The address of the desk. */
  readonly desk: string;
  readonly dataDir: string;
  /** The process's output, over all its starts. */
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

/** In each greeting, which also has the set-up link. It is printed after the first answer. */
const GREETED = "The tag";

/** Starts the product; `env` adds to its environment. It counts as started when `path` answers 200. */
export async function startProduct(env: Record<string, string> = {}, path = "/readyz"): Promise<Product> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "parley-e2e-"));
  const { start, end, output } = createProgram({
    main: "bff/main.ts",
    port,
    env: { HOME: dataDir, DATA_DIR: dataDir, ...env },
    path,
    greeting: GREETED,
  });
  await start();
  return {
    port,
    dataDir,
    site: `http://localhost:${port}/`,
    desk: `http://127.0.0.1:${port}/desk`,
    output,
    setupLink: () => {
      // Of the latest start, because each prints its own.
      const link = output()
        .match(/https?:\/\/\S+#setup=[\w-]+/g)
        ?.at(-1);
      if (!link) throw new Error(`no set-up link was printed: ${output()}`);
      return link;
    },
    start,
    crash: async () => {
      await end("SIGKILL");
      await start();
    },
    stop: () => end("SIGTERM"),
    dispose: async () => {
      await end("SIGKILL").finally(() => rmSync(dataDir, { recursive: true, force: true }));
    },
  };
}
