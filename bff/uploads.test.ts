import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type EmbeddedService, startEmbeddedService } from "../service/embedded.ts";
import { listen as listenService } from "../service/server.ts";
import { systemClock } from "../shared/server/clock.ts";
import { type Listening, listen } from "../shared/server/listen.ts";
import { freePort } from "./testing/free-port.ts";
import { createTestBff, ORIGIN } from "./testing/test-bff.ts";
import { createPoolTransport } from "./upstream/pool-transport.ts";

const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const PDF = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(9_000_000), Buffer.from("\n%%EOF\n")]);

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Browser, BFF and service, each over real sockets. */
async function openSockets() {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-uploads-"));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const service: EmbeddedService = await startEmbeddedService({ dataDir, env: {}, log: LOG });
  undo.push(() => service.close());
  const far = await listenService(service.app as never, { host: "127.0.0.1", port: 0 });
  undo.push(() => far.stop());
  const port = await freePort();
  const test = createTestBff({
    service: service.app,
    transport: createPoolTransport(far.url),
    env: {
      PORT: String(port),
      ALLOWED_ORIGINS: ORIGIN,
      APPLICATION_CREDENTIAL: service.credential,
      APPLICATION_PUBLIC_KEY: service.publicKey,
    },
  });
  const listening: Listening = await listen({
    app: test.bff.app,
    host: "127.0.0.1",
    port,
    clock: systemClock,
  });
  undo.push(async () => {
    test.bff.drain();
    await listening.stop();
    await test.bff.close();
  });
  const { token } = await test.startSession();
  const base = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${token}`, origin: base };
  const send = (key: string, body: BodyInit) =>
    fetch(`${base}/api/conversation/attachments`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": key, "x-file-name": "a.pdf" },
      body,
    });
  const shelf = () => {
    const folder = join(dataDir, "service.sqlite.files");
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  return { port, base, headers, send, shelf };
}

describe("ATT4 files over real connections", () => {
  it("nine megabytes arrive and come back unchanged; a broken or disallowed file is refused with a problem", async () => {
    const { base, headers, send } = await openSockets();
    const answer = await send("k1", PDF);
    expect(answer.status).toBe(201);
    const { attachment } = (await answer.json()) as { attachment: { id: string; size: number } };
    expect(attachment.size).toBe(PDF.length);
    const file = await fetch(`${base}/api/conversation/attachments/${attachment.id}`, { headers });
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    expect(hash(new Uint8Array(await file.arrayBuffer()))).toBe(hash(PDF));
    const noEnd = await send("k2", PDF.subarray(0, 8_000_000));
    expect([noEnd.status, ((await noEnd.json()) as { code: string }).code]).toEqual([
      415,
      "file_not_allowed",
    ]);
    const noPicture = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), PDF.subarray(9, 5_000_000)]);
    const broken = await send("k3", noPicture);
    expect([broken.status, ((await broken.json()) as { code: string }).code]).toEqual([
      415,
      "file_not_allowed",
    ]);
    const again = await send("k4", Buffer.from("%PDF-1.4\n%%EOF"));
    expect(again.status).toBe(201);
  }, 30_000);

  it("an upload that the browser aborts stores nothing, and the next one works", async () => {
    const { port, headers, send, shelf } = await openSockets();
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      `POST /api/conversation/attachments HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${headers.origin}\r\n` +
        `Authorization: ${headers.authorization}\r\nIdempotency-Key: gone\r\nX-File-Name: a.pdf\r\n` +
        `Content-Length: ${PDF.length}\r\n\r\n`,
    );
    socket.write(PDF.subarray(0, 300_000));
    await expect.poll(shelf).toHaveLength(1);
    socket.destroy();
    const answer = await send("k1", Buffer.from("%PDF-1.4\n%%EOF"));
    const { attachment } = (await answer.json()) as { attachment: { id: string } };
    await expect.poll(shelf).toEqual([attachment.id]);
  }, 30_000);
});
