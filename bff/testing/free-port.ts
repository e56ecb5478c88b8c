import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that a kernel hands out by itself (Linux: from 32768 on). One of those can become the sender's end of
 * anybody's connection while a server that is stopped and started again is away: then it can't have its port back, and
 * whoever tries to reach it there can even be connected to themselves.
 */
const FIRST = 20_000;
const COUNT = 12_000;

const TRIES = 100;

/** Given out in this process: a server that is away for a moment keeps its port. */
const given = new Set<number>();

/** A port of 127.0.0.1 where nobody listens, and that nobody else in this process is given. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error("no port is free");
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch {
    // Somebody has it.
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
