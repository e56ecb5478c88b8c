import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the kernel's ephemeral ports (Linux: from 32768 on). One of those can become the local port of any connection
 * while a restarted server is away. Then the server can't get its port back, and a client that connects there may even
 * be connected to itself.
 */
const FIRST = 20_000;
const COUNT = 12_000;

const TRIES = 100;

/**
 * Each process begins elsewhere. With random numbers, two of them once took the same port between the look at it and the
 * start of the server. The golden section of `COUNT` keeps processes with neighbouring ids far apart: a test that takes
 * hundreds of ports would reach those of the next process, whose server may be away for a moment.
 */
const STRIDE = 7_417;
let next = process.pid * STRIDE;

/** Ports handed out in this process: a server that is away for a moment keeps its port. */
const given = new Set<number>();

/** A port of 127.0.0.1 where nothing listens, and that nobody else in this process gets. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = FIRST + (next % COUNT);
    next += 1;
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
    // The port is in use.
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
