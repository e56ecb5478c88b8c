import { type ChildProcess, spawn } from "node:child_process";
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

/** 200 streams of 20 sessions, which is within the default limits. */
const SESSIONS = 20;
const STREAMS_OF_A_SESSION = 10;
const SEND_EVERY_MS = 250;

interface Started {
  readonly npm: ChildProcess;
  readonly exit: Promise<number | null>;
  /** npm and every process below it, each after its parent. */
  readonly tree: readonly number[];
}

/** Runs `npm start` until it serves. */
async function npmStart(env: Readonly<Record<string, string>>): Promise<Started> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const watched = watchProgram();
  const NODE_OPTIONS = watched.flags.join("=");
  const npm = spawn("npm", ["start"], {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS, LOG_LEVEL: "silent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(npm, "close").then(([code]) => code as number | null);
  let output = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
        if (output.includes("Parley is ready")) resolve();
      });
    }
    void exit.then(() => reject(new Error(`npm start ended: ${output}`)));
  });
  const tree = treeOf(npm.pid);
  onTestFinished(async () => {
    for (const pid of tree) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    await exit;
    watched.requireDescribed();
  });
  return { npm, exit, tree };
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

const TARGETS: readonly [name: string, pick: (tree: readonly number[]) => readonly number[]][] = [
  ["npm", (tree) => tree.slice(0, 1)],
  ["the server", (tree) => tree.slice(-1)],
  ["all of them at once, as a terminal or systemd does", (tree) => tree],
];

test("OPS1 SIGTERM to any process of npm start drains it: 200 streams come back, nothing is lost, the port is free", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), DATA_DIR: newFolder() };
  const stopping = new AbortController();
  const { signal } = stopping;
  onTestFinished(() => stopping.abort());
  const watch = createWatch();
  let running = await npmStart(env);
  const visitors = await openVisitors({
    url,
    sessions: SESSIONS,
    streamsEach: STREAMS_OF_A_SESSION,
    signal,
    onChange: watch.tell,
  });
  await watch.until(() => isEverybodyBack(visitors, new Map()));
  const sending = sendSteadily({ url, visitors, everyMs: SEND_EVERY_MS, signal, onAcknowledged: watch.tell });

  for (const [name, pick] of TARGETS) {
    // No shell in between: it would end at the signal, and the server would not get it.
    expect(running.tree, name).toHaveLength(2);
    const before = connectsOf(visitors);
    for (const pid of pick(running.tree)) process.kill(pid, "SIGTERM");
    expect(await running.exit, name).toBe(0);
    expect(running.tree.filter(isRunning), name).toEqual([]);
    await expectFree(port);
    running = await npmStart(env);
    await watch.until(() => isEverybodyBack(visitors, before));
  }
  const sent = await sending.stop();
  expect(sent).toBeGreaterThan(0);
  expect(await findLosses(visitors, watch)).toEqual([]);
  stopping.abort();
}, 300_000);
