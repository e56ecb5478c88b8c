import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmbeddedService } from "../../service/embedded.ts";
import { SessionState } from "../../shared/api/session.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { listen } from "../../shared/server/listen.ts";
import { createTestSite } from "../identity/testing/site-keys.ts";
import { newFolder, startBff } from "../testing/bff-process.ts";
import { callAs } from "../testing/call-as.ts";
import { freePort } from "../testing/free-port.ts";
import { followAsPanel, pause } from "../testing/reconnecting-client.ts";
import { hasRedis, startRedis } from "../testing/redis-server.ts";

const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const IN_TIME = AbortSignal.timeout(200_000);

/**
 * One address for several processes: each request goes to the next one that accepts it, as with a load balancer without
 * affinity.
 */
async function startBalancer(port: number, targets: readonly number[]): Promise<void> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const ask = (left: number) => {
        const { method, url: path, headers } = incoming;
        const target = targets[turn++ % targets.length] ?? 0;
        // A new connection each time: a kept-alive one may be closed by its server just when it is reused.
        const to = { host: "127.0.0.1", port: target, method, path, headers, agent: false };
        const forwarded = request(to, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
          answer.on("error", () => outgoing.destroy());
        });
        // Not listening: the request had no effect, so the next process may be tried.
        forwarded.on("error", (error) => {
          const isAway = "code" in error && error.code === "ECONNREFUSED";
          if (isAway && left > 0) ask(left - 1);
          else outgoing.destroy();
        });
        outgoing.on("close", () => forwarded.destroy());
        forwarded.end(Buffer.concat(chunks));
      };
      ask(targets.length - 1);
    });
  });
  // Its client keeps connections and repeats nothing.
  server.keepAliveTimeout = 120_000;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
}

describe.runIf(hasRedis)("SHARE1 two processes behind one address", () => {
  test("serve one customer's whole path while each of them is killed or stopped in turn", async () => {
    const service = await startEmbeddedService({ dataDir: newFolder(), env: {}, log: LOG });
    const servicePort = await freePort();
    const listening = await listen({
      app: service.app,
      host: "127.0.0.1",
      port: servicePort,
      clock: systemClock,
    });
    onTestFinished(async () => {
      await service.close();
      await listening.stop();
    });
    const redis = await startRedis();
    const site = createTestSite(() => Date.now());
    const [front, ...ports] = [await freePort(), await freePort(), await freePort()];
    const url = `http://127.0.0.1:${front}`;
    const folder = join(newFolder(), "never-made");
    const startOne = async (port: number | undefined) => {
      const bff = startBff({
        BASE_URL: `http://127.0.0.1:${servicePort}`,
        APPLICATION_CREDENTIAL: service.credential,
        APPLICATION_PUBLIC_KEY: service.publicKey,
        STORE_URL: redis.url,
        IDENTITY_KEYS: site.keySet,
        PUBLIC_URL: url,
        ALLOWED_ORIGINS: url,
        DATA_DIR: folder,
        PORT: String(port),
        LIMIT_SENDS_PER_SESSION: "1000",
        LIMIT_SENDS_PER_CUSTOMER: "1000",
      });
      await bff.ready;
      return bff;
    };
    const first = await startOne(ports[0]);
    const second = await startOne(ports[1]);
    await startBalancer(front, ports);
    const call = callAs(url);

    const identity = site.token({ claims: { sub: "customer-1" } });
    const entries = await Promise.all(
      Array.from({ length: 50 }, () => call("POST", "/api/session", undefined, { token: identity })),
    );
    expect(entries.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(entries.filter(({ status }) => status === 401)).toHaveLength(49);

    const { token } = SessionState.parse(await (await call("POST", "/api/session")).json());
    const keys: string[] = [];
    const say = async (path: string, key: string) => {
      for (;;) {
        const message = { clientMessageId: key, body: `Message ${key}` };
        const status = await call("POST", path, token, message, IN_TIME).then(
          async (answer) => {
            await answer.text();
            return answer.status;
          },
          (error: unknown) => {
            if (IN_TIME.aborted) throw error;
            return 0;
          },
        );
        if (status === 201) break;
        expect([0, 409, 503]).toContain(status);
        await pause(100, IN_TIME);
      }
      keys.push(key);
    };
    await say("/api/conversation", "first");
    // The agent is silent now, so the log contains only the customer's messages.
    expect((await call("POST", "/api/conversation/handoff", token)).status).toBe(201);
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    let wake = quiet as () => void;
    const follow = () =>
      followAsPanel({ url, token, origin: url, signal: stopping.signal, onChange: () => wake() }).seen;
    const streams = [follow(), follow()];
    IN_TIME.addEventListener("abort", () => wake());
    const until = async (holds: () => boolean) => {
      while (!holds() && !IN_TIME.aborted) await new Promise<void>((resolve) => (wake = resolve));
    };
    await until(() => streams.every(({ isConnected }) => isConnected));

    for (let n = 0; n < 10; n += 1) await say("/api/conversation/messages", `both-${n}`);
    first.child.kill("SIGKILL");
    for (let n = 0; n < 10; n += 1) await say("/api/conversation/messages", `second-${n}`);
    const third = await startOne(ports[0]);
    second.child.kill("SIGTERM");
    for (let n = 0; n < 10; n += 1) await say("/api/conversation/messages", `third-${n}`);
    expect(await second.exit).toBe(0);
    await until(() => streams.every((stream) => stream.keys.length >= keys.length));
    for (const { seqs, keys: seen, resets } of streams) {
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect(seen).toEqual(keys);
      expect(resets).toBe(0);
    }

    expect((await call("DELETE", "/api/conversation", token)).status).toBe(200);
    expect((await call("DELETE", "/api/session", token)).status).toBe(200);
    expect((await call("POST", "/api/session", token)).status).toBe(401);
    expect(existsSync(folder), "nothing is kept in a folder").toBe(false);
    stopping.abort();
    third.child.kill("SIGTERM");
    expect(await third.exit).toBe(0);
  });
});
