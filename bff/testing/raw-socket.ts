import { once } from "node:events";
import { connect } from "node:net";

/** Ends the wait for a server that leaves such a request open; then what arrived counts. */
const PATIENCE_MS = 3000;

/** Sends bytes unchanged, and returns all that came back until the connection was closed. */
export async function sendRaw(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  await once(socket, "connect");
  for (const part of parts) if (!socket.destroyed) socket.write(part);
  await closed;
  return received;
}

/** The statuses of all answers in the received text. */
export function statusesOf(received: string): readonly number[] {
  return [...received.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
