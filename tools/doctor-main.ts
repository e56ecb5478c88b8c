import { readFileSync } from "node:fs";
import { createPoolTransport } from "../bff/upstream/pool-transport.ts";
import { systemClock } from "../shared/server/clock.ts";
import { SILENT_LOG } from "../shared/server/log.ts";
import { originAt } from "../shared/server/origin.ts";
import { Health, runDoctor } from "./doctor/command-line.ts";
import { examineService } from "./doctor/examine-service.ts";
import { examineStores } from "./doctor/examine-store.ts";
import { readPublic } from "./doctor/read-public.ts";
import { outliveReader } from "./outlive-reader.ts";

const LIMIT_MS = 10_000;

outliveReader(process.stdout);
const { output, exitCode } = await runDoctor({
  args: process.argv.slice(2),
  env: process.env,
  readFile: (path) => readFileSync(path, "utf8"),
  examineStores,
  async examineService({ baseUrl = "", credentials }, withConversation) {
    const transport = createPoolTransport(baseUrl);
    try {
      return await examineService({
        transport,
        credentials,
        clock: systemClock,
        log: SILENT_LOG,
        withConversation,
      });
    } finally {
      await transport.close();
    }
  },
  async readHealth({ host, port }) {
    try {
      const origin = originAt(host, port) ?? `http://127.0.0.1:${port}`;
      const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(LIMIT_MS) });
      return Health.parse(await answer.json());
    } catch {
      // Nothing listens there, or it is not Parley.
      return undefined;
    }
  },
  readPublic,
  async readPage(url) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) });
    const policy = answer.headers.get("content-security-policy") ?? undefined;
    return { url: answer.url, status: answer.status, policy, html: await answer.text() };
  },
});
process.stdout.write(output);
process.exitCode = exitCode;
