import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createPoolTransport } from "../bff/upstream/pool-transport.ts";
import { readDoctor } from "../shared/api/doctor.ts";
import { systemClock } from "../shared/server/clock.ts";
import type { Log } from "../shared/server/log.ts";
import { originAt } from "../shared/server/origin.ts";
import { runDoctor } from "./doctor/command-line.ts";
import { examineService } from "./doctor/examine-service.ts";
import { fault } from "./doctor/finding.ts";

const LIMIT_MS = 10_000;
const MAX_PAGE_CHARACTERS = 2_000_000;
const nothing = () => undefined;
const QUIET: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

const { output, exitCode } = await runDoctor({
  args: process.argv.slice(2),
  env: process.env,
  readFile: (path) => readFileSync(path, "utf8"),
  async examine({ baseUrl = "", credentials }) {
    const transport = createPoolTransport(baseUrl);
    try {
      return await examineService({
        transport,
        credentials,
        clock: systemClock,
        random: randomBytes,
        log: QUIET,
      });
    } finally {
      await transport.close();
    }
  },
  async askRunning({ host, port }) {
    const here = originAt(host, port) ?? `http://127.0.0.1:${port}`;
    try {
      const answer = await fetch(`${here}/api/doctor`, {
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      return readDoctor.answer.parse(await answer.json()).findings;
    } catch {
      const sentence = `Nobody on port ${port} of this machine says how it is. Start it by npm start, with DOCTOR=on where PUBLIC_URL is set.`;
      return [fault("service", sentence)];
    }
  },
  async readPage(url) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) });
    const policy = answer.headers.get("content-security-policy") ?? undefined;
    return { url: answer.url, policy, html: (await answer.text()).slice(0, MAX_PAGE_CHARACTERS) };
  },
});
process.stdout.write(output);
process.exitCode = exitCode;
