import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { Endpoint } from "./endpoint.ts";
import type { Healthy } from "./mangle.ts";

/** The tools of a fault once its request has arrived completely. */
export interface Wire {
  readonly endpoint: Endpoint;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** The service's answer, or the one that it would give. Only faults that spoil an answer ask for it. */
  readonly healthy: () => Promise<Healthy>;
  /** An address that must never be called. */
  readonly canaryUrl: string;
  /** How long `slow` takes, in ms. */
  readonly slowMs: number;
}

/** How fast an endless body drips, in ms. */
const DRIP_MS = 20;
/** Text of an answer that must never leave the BFF. */
export const UPSTREAM_TEXT = "UPSTREAM-TEXT-CANARY at /srv/app/secret.ts:42 SELECT * FROM customers";
export const HTML = `<!doctype html><title>Sign in</title><p>${UPSTREAM_TEXT}</p>`;
const HUGE_BYTES = 50 * 1024 * 1024;

/** A well-formed answer with any status, type and text. */
export function answer(
  { response }: Wire,
  status: number,
  type: string | undefined,
  text: string,
  headers: Record<string, string> = {},
): void {
  const typed = type === undefined ? {} : { "content-type": type };
  const length = status === 204 ? {} : { "content-length": String(Buffer.byteLength(text)) };
  response.writeHead(status, { ...typed, ...length, ...headers });
  response.end(status === 204 ? undefined : text);
}

/** The first lines of an answer, written by hand so that they may lie. */
function head(healthy: Healthy, ...lines: readonly string[]): string {
  return [`HTTP/1.1 ${healthy.status} OK`, `content-type: ${healthy.type}`, ...lines, "", ""].join("\r\n");
}

/** Writes bytes directly to the socket and waits until the kernel has them. */
async function write(socket: Socket, bytes: string): Promise<void> {
  if (socket.destroyed) return;
  await new Promise<void>((resolve) => {
    socket.write(bytes, () => resolve());
  });
}

/** Under TLS the socket has no reset: the connection ends without a close message, which is a cut too. */
export function reset(socket: Socket): void {
  if ("encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}

/** An honest or false `Content-Length`, part of the body, and a way to end. */
export async function declare(
  { socket, healthy: read }: Wire,
  declared: (bytes: number) => number,
  sent: (text: string) => string,
  leave: "close" | "reset",
): Promise<void> {
  const healthy = await read();
  const length = declared(Buffer.byteLength(healthy.text));
  await write(socket, head(healthy, `content-length: ${length}`));
  await write(socket, sent(healthy.text));
  if (leave === "close") return void socket.end();
  // A reset discards what the other side has not read yet, so a short delay lets it see the bytes before.
  await new Promise((resolve) => setTimeout(resolve, DRIP_MS));
  reset(socket);
}

/** The whole answer in chunks, but never the last, empty one. */
export async function leaveChunksOpen({ socket, healthy: read }: Wire): Promise<void> {
  const healthy = await read();
  const size = Buffer.byteLength(healthy.text).toString(16);
  await write(socket, head(healthy, "transfer-encoding: chunked"));
  await write(socket, `${size}\r\n${healthy.text}\r\n`);
  socket.end();
}

/** The whole answer, then white space without end: at each moment a hasty reader has valid JSON. */
export async function drip({ response, healthy: read }: Wire): Promise<void> {
  const healthy = await read();
  response.writeHead(healthy.status, { "content-type": healthy.type });
  response.write(healthy.text);
  const timer = setInterval(() => response.write(" "), DRIP_MS);
  await once(response, "close");
  clearInterval(timer);
}

/** An answer of 50 MB that would verify if anybody read all of it. */
export async function flood({ response, healthy: read }: Wire): Promise<void> {
  const healthy = await read();
  const start = healthy.text.replace(/\}\s*$/, healthy.text === "{}" ? '"pad":"' : ',"pad":"');
  response.writeHead(healthy.status, {
    "content-type": healthy.type,
    "content-length": String(Buffer.byteLength(start) + HUGE_BYTES + 2),
  });
  const body = Readable.from(padded(start));
  response.once("close", () => body.destroy());
  body.pipe(response);
}

function* padded(start: string): Generator<string> {
  yield start;
  const piece = "x".repeat(64 * 1024);
  for (let sent = 0; sent < HUGE_BYTES; sent += piece.length) yield piece;
  yield '"}';
}

/** The correct answer, late. */
export async function delay(wire: Wire): Promise<void> {
  const { status, type, text } = await wire.healthy();
  await new Promise((resolve) => setTimeout(resolve, wire.slowMs));
  answer(wire, status, type, text);
}
