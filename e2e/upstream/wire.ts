import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { Endpoint } from "./endpoint.ts";
import type { Healthy } from "./mangle.ts";

/** What a fault has in hand when its request has come in whole. */
export interface Wire {
  readonly endpoint: Endpoint;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly healthy: Healthy;
  /** An address that nobody may ever call. */
  readonly canaryUrl: string;
  /** How long `slow` takes, in ms. */
  readonly slowMs: number;
}

/** How fast an endless body drips, in ms. */
const DRIP_MS = 20;
/** What an answer carries in its own words: none of it may ever leave the BFF. */
export const UPSTREAM_TEXT = "UPSTREAM-TEXT-CANARY at /srv/app/secret.ts:42 SELECT * FROM customers";
export const HTML = `<!doctype html><title>Sign in</title><p>${UPSTREAM_TEXT}</p>`;
const HUGE_BYTES = 50 * 1024 * 1024;

/** A well-formed answer with whatever status, type and text. */
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

/** The first lines of an answer written by hand, so that they may lie. */
function head(healthy: Healthy, ...lines: readonly string[]): string {
  return [`HTTP/1.1 ${healthy.status} OK`, `content-type: ${healthy.type}`, ...lines, "", ""].join("\r\n");
}

/** Writes bytes past the server and waits until the kernel has them. */
async function write(socket: Socket, bytes: string): Promise<void> {
  if (socket.destroyed) return;
  await new Promise<void>((resolve) => {
    socket.write(bytes, () => resolve());
  });
}

/** Under TLS the socket has no reset of its own: the connection ends without a word, which is a cut all the same. */
export function reset(socket: Socket): void {
  if ("encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}

/** An honest or lying `Content-Length`, so much of the body, and a way to leave. */
export async function declare(
  { socket, healthy }: Wire,
  declared: (bytes: number) => number,
  sent: (text: string) => string,
  leave: "close" | "reset",
): Promise<void> {
  const length = declared(Buffer.byteLength(healthy.text));
  await write(socket, head(healthy, `content-length: ${length}`));
  await write(socket, sent(healthy.text));
  if (leave === "close") return void socket.end();
  // A reset discards what the other side has not read yet: a moment's grace lets it see the bytes before.
  await new Promise((resolve) => setTimeout(resolve, DRIP_MS));
  reset(socket);
}

/** The whole answer in chunks, but never the last, empty one. */
export async function leaveChunksOpen({ socket, healthy }: Wire): Promise<void> {
  const size = Buffer.byteLength(healthy.text).toString(16);
  await write(socket, head(healthy, "transfer-encoding: chunked"));
  await write(socket, `${size}\r\n${healthy.text}\r\n`);
  socket.end();
}

/** The whole answer, then white space without end: at each instant a reader in a hurry holds valid JSON. */
export async function drip({ response, healthy }: Wire): Promise<void> {
  response.writeHead(healthy.status, { "content-type": healthy.type });
  response.write(healthy.text);
  const timer = setInterval(() => response.write(" "), DRIP_MS);
  await once(response, "close");
  clearInterval(timer);
}

/** An answer of 50 MB that would verify if anybody read all of it. */
export function flood({ response, healthy }: Wire): void {
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

/** The right answer, late. */
export async function delay(wire: Wire): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, wire.slowMs));
  answer(wire, wire.healthy.status, wire.healthy.type, wire.healthy.text);
}
