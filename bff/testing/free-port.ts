import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the kernel's ephemeral ports (Linux: from 32768 on). One of those can become the local port of any connection
 * while a restarted server is away. Then the server can't get its port back, and a client that connects there may even
 * be connected to itself.
 */
const FIRST = 20_000;
const COUNT = 12_000;

/** A process of the unit tests holds more than a hundred, and a second copy of this file begins at the first of them. */
const TRIES = 1000;

/** Each process begins elsewhere: a multiple of the golden section of `COUNT` keeps neighbouring ids far apart. */
const STRIDE = 7_417;
let next = process.pid * STRIDE;

/** A port of 127.0.0.1 where nothing listens. No caller, in this process or another, gets it while this process lives. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = FIRST + (next % COUNT);
    next += 1;
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error("no port is free");
}

/**
 * Holds the UDP port of the same number until this process ends. A TCP server may still be starting, or be away for a
 * moment; meanwhile another process once put its server there and got the requests.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  socket.bind({ port, address: "127.0.0.1", exclusive: true });
  try {
    await once(socket, "listening");
    return true;
  } catch {
    // Usually another process has reserved it.
    socket.close();
    return false;
  }
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
