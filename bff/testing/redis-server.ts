import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createClient } from "@redis/client";
import { onTestFinished } from "vitest";
import type { Clock } from "../../shared/server/clock.ts";
import { Secret } from "../../shared/server/secret.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { newFolder } from "./bff-process.ts";
import { freePort } from "./free-port.ts";
import { REDIS_PROGRAM } from "./redis-program.ts";

export const hasRedis = REDIS_PROGRAM !== undefined;

/** A Redis server for a test, with its own folder. It is stopped after the test. */
export interface TestRedis {
  readonly url: string;
  /** The process, for signals. */
  readonly child: ChildProcess;
  /** One command, as an operator would type it. */
  command(...args: string[]): Promise<unknown>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder. */
  restart(): Promise<void>;
}

/**
 * `settings` are lines of its configuration: `["maxmemory 3mb"]`. It persists what it acknowledged, as documented for
 * operators.
 */
export async function startRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const port = await freePort();
  const folder = newFolder();
  let child = await spawnRedis(port, folder, settings);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  onTestFinished(kill);
  const password = settings.find((line) => line.startsWith("requirepass "))?.split(" ")[1];
  const login = password === undefined ? "" : `:${password}@`;
  const url = `redis://${login}127.0.0.1:${port}`;
  return {
    url,
    get child() {
      return child;
    },
    async command(...args) {
      const client = createClient({ url, socket: { reconnectStrategy: false } });
      client.on("error", () => undefined);
      await client.connect();
      const answer = await client.sendCommand(args);
      client.destroy();
      return answer;
    },
    kill,
    async restart() {
      await kill();
      child = await spawnRedis(port, folder, settings);
    },
  };
}

async function spawnRedis(port: number, folder: string, settings: readonly string[]): Promise<ChildProcess> {
  if (REDIS_PROGRAM === undefined) throw new Error("There is no redis-server on this machine.");
  const base = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${folder}`,
    'save ""',
    "appendonly yes",
    "appendfsync always",
  ];
  const args = [...base, "maxmemory-policy noeviction", ...settings].flatMap((line) => {
    const [name = "", ...values] = line.split(" ");
    return [`--${name}`, ...values.map((value) => (value === '""' ? "" : value))];
  });
  const child = spawn(REDIS_PROGRAM, args, { argv0: "redis-server", stdio: ["ignore", "pipe", "ignore"] });
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("Ready to accept connections")) resolve();
    });
    child.once("exit", () => reject(new Error(`redis-server ended: ${output}`)));
  });
  return child;
}

/** The store that one BFF opens on it; closed after the test. */
export async function openOn(
  redis: TestRedis,
  options: { readonly siteId?: string; readonly clock?: Clock; readonly lines?: string[] } = {},
): Promise<Store> {
  const { siteId = "parley", lines = [] } = options;
  const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  const log = { debug: write, info: write, warn: write, error: write };
  const store = await openStore(
    { dataDir: "/nowhere", storeUrl: new Secret(redis.url), siteId },
    { log, ...(options.clock ? { clock: options.clock } : {}) },
  );
  onTestFinished(() => store.close());
  return store;
}
