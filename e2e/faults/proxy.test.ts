import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { type FaultProxy, startProxy } from "./proxy.ts";
import type { Toxic } from "./toxics.ts";

/** Echoes everything, and ends when the other side does. */
async function startEcho(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).pipe(socket);
  });
  const { port } = await listenOnFreePort(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return port;
}

async function startTest(): Promise<FaultProxy> {
  const target = await startEcho();
  const proxy = await startProxy(
    () => target,
    () => 0.5,
  );
  onTestFinished(() => proxy.close());
  return proxy;
}

interface Ended {
  readonly text: string;
  readonly error: string | undefined;
}

/** Sends `text`, ends, and returns what came back until the connection was closed. */
async function talk(proxy: FaultProxy, text: string): Promise<Ended> {
  const socket = connect(proxy.port, "127.0.0.1");
  let heard = "";
  let error: string | undefined;
  socket.setEncoding("utf8").on("data", (piece: string) => (heard += piece));
  socket.on("error", (cause: NodeJS.ErrnoException) => (error = cause.code));
  socket.end(text);
  await new Promise((resolve) => socket.on("close", resolve));
  return { text: heard, error };
}

const TEXT = "0123456789".repeat(100);

describe("works", () => {
  test("without a toxic every byte passes, and so does the end", async () => {
    const proxy = await startTest();
    expect(await talk(proxy, TEXT)).toEqual({ text: TEXT, error: undefined });
    await expect.poll(() => proxy.connections()).toBe(0);
  });

  test.each<[string, Toxic]>([
    ["latency", { type: "latency", latency: 20, jitter: 10 }],
    ["bandwidth", { type: "bandwidth", rate: 20_000 }],
    ["slow_close", { type: "slow_close", delay: 20 }],
    ["slicer", { type: "slicer", size: 7, delay: 0 }],
  ])("%s changes the timing, not the content", async (_, toxic) => {
    const proxy = await startTest();
    for (const direction of ["up", "down"] as const) {
      proxy.set(direction, toxic);
      expect(await talk(proxy, TEXT)).toEqual({ text: TEXT, error: undefined });
    }
  });

  test("a toxic is removed while the connection is in use", async () => {
    const proxy = await startTest();
    proxy.set("down", { type: "slicer", size: 1, delay: 0 });
    await proxy.cure();
    expect(await talk(proxy, TEXT)).toEqual({ text: TEXT, error: undefined });
  });
});

describe("breaks", () => {
  test.each([0, 1, 7, 999])("limit_data ends the connection after byte %i", async (bytes) => {
    const proxy = await startTest();
    proxy.set("down", { type: "limit_data", bytes });
    expect((await talk(proxy, TEXT)).text).toBe(TEXT.slice(0, bytes));
  });

  test("down refuses; up lets in again, on the same port", async () => {
    const proxy = await startTest();
    await proxy.down();
    expect(await talk(proxy, TEXT)).toEqual({ text: "", error: "ECONNREFUSED" });
    await proxy.up();
    expect((await talk(proxy, TEXT)).text).toBe(TEXT);
  });

  test("reset_peer resets an open connection", async () => {
    const proxy = await startTest();
    const socket = connect(proxy.port, "127.0.0.1");
    socket.write("a");
    await once(socket, "data");
    const failed = once(socket, "error");
    proxy.set("down", { type: "reset_peer", timeout: 0 });
    expect((await failed)[0]).toMatchObject({ code: "ECONNRESET" });
  });

  test("timeout swallows everything and closes after its time", async () => {
    const proxy = await startTest();
    proxy.set("up", { type: "timeout", timeout: 20 });
    expect(await talk(proxy, TEXT)).toEqual({ text: "", error: undefined });
  });

  test("timeout never: the connection stays half-open, even after the toxic is removed, and new ones work", async () => {
    const proxy = await startTest();
    proxy.set("up", { type: "timeout", timeout: "never" });
    const socket = connect(proxy.port, "127.0.0.1");
    let heard = "";
    socket.on("data", (piece) => (heard += String(piece)));
    socket.write("lost");
    await expect.poll(() => proxy.connections()).toBe(1);
    // The bytes were swallowed once the proxy took them from the socket, so the answer on another connection comes
    // later.
    await new Promise((resolve) => setImmediate(resolve));
    await expect.poll(() => socket.writableLength).toBe(0);
    await proxy.cure();
    expect((await talk(proxy, TEXT)).text).toBe(TEXT);
    expect(heard).toBe("");
    expect(proxy.connections()).toBe(1);
    socket.destroy();
  });
});
