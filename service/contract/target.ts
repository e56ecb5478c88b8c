import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedService } from "../embedded.ts";
import { listen } from "../server.ts";
import { createMemoryLog } from "../testing/memory-log.ts";

/** The service that the suite speaks to, over HTTP and nothing else. */
export interface Target {
  readonly baseUrl: string;
  readonly credential: string;
  /** Sent with calls that carry a credential or a session, where the service wants one. */
  readonly publicKey: { readonly header: string; readonly value: string } | undefined;
  readonly handoffSecret: { readonly header: string; readonly value: string } | undefined;
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The service that `BASE_URL` names (here as `CONTRACT_BASE_URL`, see vitest.config.ts), with `APPLICATION_CREDENTIAL`
 * (and `APPLICATION_PUBLIC_KEY`, `PUBLIC_KEY_HEADER`, `HANDOFF_SECRET`, `HANDOFF_SECRET_HEADER` as the BFF has them).
 * Without it our own, on a free loopback port.
 */
export async function openTarget(env: Environment): Promise<Target> {
  const baseUrl = env["CONTRACT_BASE_URL"];
  if (!baseUrl) return startOwn();
  const credential = env["APPLICATION_CREDENTIAL"];
  if (!credential) throw new Error("BASE_URL is set: set APPLICATION_CREDENTIAL too.");
  const header = (name: string, usual: string, value: string | undefined) =>
    value ? { header: env[name] ?? usual, value } : undefined;
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    credential,
    publicKey: header("PUBLIC_KEY_HEADER", "x-public-key", env["APPLICATION_PUBLIC_KEY"]),
    handoffSecret: header("HANDOFF_SECRET_HEADER", "x-handoff-secret", env["HANDOFF_SECRET"]),
    close: async () => undefined,
  };
}

async function startOwn(): Promise<Target> {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-contract-"));
  const service = await startEmbeddedService({ dataDir, env: {}, log: createMemoryLog() });
  const listening = await listen(service.app, { host: "127.0.0.1", port: 0 });
  return {
    baseUrl: listening.url,
    credential: service.credential,
    publicKey: { header: "x-public-key", value: service.publicKey },
    handoffSecret: undefined,
    async close() {
      const stopped = listening.stop();
      await service.close();
      await stopped;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
