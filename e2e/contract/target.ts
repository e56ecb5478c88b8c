import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedService } from "../../service/embedded.ts";
import { listen } from "../../service/server.ts";
import { createMemoryLog } from "../../service/testing/memory-log.ts";
import { DEFAULT_SCHEMES, type Environment, readAddress, type ServiceAddress } from "./environment.ts";

/** The service under test, reached only over HTTP. */
export interface Target extends ServiceAddress {
  close(): Promise<void>;
}

/** The service that `BASE_URL` names, or our own on a free loopback port. @throws TargetError */
export async function openTarget(env: Environment): Promise<Target> {
  const address = readAddress(env, (path) => readFileSync(path, "utf8"));
  return address ? { ...address, close: async () => undefined } : startOwn();
}

const HEADERS = {
  publicKeyHeader: "x-public-key",
  handoffSecretHeader: "x-handoff-secret",
  handoffSecret: undefined,
};

async function startOwn(): Promise<Target> {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-contract-"));
  const service = await startEmbeddedService({ dataDir, env: {}, log: createMemoryLog() });
  const listening = await listen(service.app, { host: "127.0.0.1", port: 0 });
  return {
    baseUrl: listening.url,
    credential: service.credential,
    publicKey: { header: HEADERS.publicKeyHeader, value: service.publicKey },
    handoffSecret: undefined,
    schemes: DEFAULT_SCHEMES,
    async close() {
      const stopped = listening.stop();
      await service.close();
      await stopped;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
