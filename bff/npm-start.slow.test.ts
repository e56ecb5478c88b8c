import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { watchProgram } from "../service/testing/watched-program.ts";
import { newFolder } from "./testing/bff-process.ts";
import { freePort } from "./testing/free-port.ts";
import {
  connectsOf,
  createWatch,
  findLosses,
  isEverybodyBack,
  openVisitors,
  sendSteadily,
} from "./testing/steady-visitors.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Few: bff/drain.slow.test.ts drains 500 streams. */
const SESSIONS = 20;
const STREAMS_OF_A_SESSION = 2;
const SEND_EVERY_MS = 250;

/** The commands of README.md and docs/deploy.md. */
const NPM_START = ["npm", "start"] as const;
const NODE_BFF = ["node", "bff/main.ts"] as const;
const NPM_SERVICE = ["npm", "run", "service"] as const;
const NODE_SERVICE = ["node", "service/main.ts"] as const;
type Command = typeof NPM_START | typeof NODE_BFF | typeof NPM_SERVICE | typeof NODE_SERVICE;

interface Started {
  readonly exit: Promise<number | null>;
  /** The process and every one below it, each after its parent. */
  readonly tree: readonly number[];
}

/** Runs a command until it serves. */
async function startProgram(
  [name, ...args]: Command,
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const watched = watchProgram();
  const NODE_OPTIONS = watched.flags.join("=");
  const child = spawn(name === "npm" ? name : process.execPath, args, {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS, LOG_LEVEL: "silent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "close").then(([code]) => code as number | null);
  let output = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
        if (/Parley is ready|^Service: /m.test(output)) resolve();
      });
    }
    void exit.then(() => reject(new Error(`${name} ${args.join(" ")} ended: ${output}`)));
  });
  const tree = treeOf(child.pid);
  onTestFinished(async () => {
    for (const pid of tree) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    await exit;
    watched.requireDescribed();
  });
  return { exit, tree };
}

function treeOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // It has ended.
    return false;
  }
}

/** Rejects while something listens on the port. */
async function expectFree(port: number): Promise<void> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

type Target = readonly [name: string, pick: (tree: readonly number[]) => readonly number[]];
/** No shell in between: it would end at the signal, and the server would not get it. */
const OF_NPM = [
  ["npm", (tree) => tree.slice(0, 1)],
  ["the server", (tree) => tree.slice(-1)],
  ["all of them at once, as a terminal or systemd does", (tree) => tree],
] as const satisfies readonly Target[];
const OF_NODE = [["the server", (tree) => tree]] as const satisfies readonly Target[];

/** Sends SIGTERM to the target, and expects that the program ends with 0, leaves no process, and frees its port. */
async function stopBy(running: Started, command: Command, [name, pick]: Target, port: number): Promise<void> {
  expect(running.tree, name).toHaveLength(command[0] === "npm" ? 2 : 1);
  for (const pid of pick(running.tree)) process.kill(pid, "SIGTERM");
  expect(await running.exit, name).toBe(0);
  expect(running.tree.filter(isRunning), name).toEqual([]);
  await expectFree(port);
}

/** 40 open streams of customers who write until they are asked what was lost. */
async function openCustomers(port: number) {
  const url = `http://127.0.0.1:${port}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  onTestFinished(() => stopping.abort());
  const watch = createWatch();
  const visitors = await openVisitors({
    url,
    sessions: SESSIONS,
    streamsEach: STREAMS_OF_A_SESSION,
    signal,
    onChange: watch.tell,
  });
  await watch.until(() => isEverybodyBack(visitors, new Map()));
  const sending = sendSteadily({ url, visitors, everyMs: SEND_EVERY_MS, signal, onAcknowledged: watch.tell });
  const acknowledged = () => visitors.reduce((sum, visitor) => sum + visitor.acknowledged.length, 0);
  return {
    /** Runs `restart`, then waits until every stream has reconnected and a message is acknowledged. */
    async surviveBff(restart: () => Promise<void>) {
      const before = connectsOf(visitors);
      await restart();
      const sent = acknowledged();
      await watch.until(() => isEverybodyBack(visitors, before) && acknowledged() > sent);
    },
    /** Runs `restart`, then waits until a message of every customer was acknowledged. */
    async surviveService(restart: () => Promise<void>) {
      await restart();
      const before = visitors.map((visitor) => visitor.acknowledged.length);
      await watch.until(() =>
        visitors.every((visitor, at) => visitor.acknowledged.length > (before[at] ?? 0)),
      );
    },
    async losses() {
      expect(await sending.stop()).toBeGreaterThan(0);
      const losses = await findLosses(visitors, watch);
      stopping.abort();
      return losses;
    },
  };
}

test("OPS1 SIGTERM to any process of `npm start` and of `node bff/main.ts` drains it: 40 streams come back, nothing is lost, the port is free", async () => {
  const port = await freePort();
  const env = { PORT: String(port), DATA_DIR: newFolder() };
  let running = await startProgram(NPM_START, env);
  const customers = await openCustomers(port);
  const [npm, server, all] = OF_NPM;
  for (const [command, target, next] of [
    [NPM_START, npm, NPM_START],
    [NPM_START, server, NPM_START],
    [NPM_START, all, NODE_BFF],
    [NODE_BFF, OF_NODE[0], NODE_BFF],
  ] as const)
    await customers.surviveBff(async () => {
      await stopBy(running, command, target, port);
      running = await startProgram(next, env);
    });
  expect(await customers.losses()).toEqual([]);
}, 300_000);

test("OPS1 SIGTERM to any process of a service and of a BFF apart drains it: 40 streams are served on, nothing is lost, the ports are free", async () => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const serviceEnv = { PORT: String(servicePort), DATA_DIR: newFolder() };
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const made = execFileSync(
    process.execPath,
    ["tools/service-main.ts", "workspace", "create", "acme", "--json"],
    { cwd: ROOT, env: { PATH, NODE_COMPILE_CACHE, ...serviceEnv }, encoding: "utf8" },
  );
  const { credential } = JSON.parse(made) as { credential: string };
  const bffEnv = {
    PORT: String(port),
    DATA_DIR: newFolder(),
    BASE_URL: `http://127.0.0.1:${servicePort}`,
    APPLICATION_CREDENTIAL: credential,
  };
  let service = await startProgram(NPM_SERVICE, serviceEnv);
  let bff = await startProgram(NODE_BFF, bffEnv);
  const customers = await openCustomers(port);
  const [npm, server] = OF_NPM;
  for (const [command, target, next] of [
    [NPM_SERVICE, npm, NPM_SERVICE],
    [NPM_SERVICE, server, NODE_SERVICE],
    [NODE_SERVICE, OF_NODE[0], NODE_SERVICE],
  ] as const)
    await customers.surviveService(async () => {
      await stopBy(service, command, target, servicePort);
      service = await startProgram(next, serviceEnv);
    });
  await customers.surviveBff(async () => {
    await stopBy(bff, NODE_BFF, OF_NODE[0], port);
    bff = await startProgram(NODE_BFF, bffEnv);
  });
  expect(await customers.losses()).toEqual([]);
}, 300_000);
