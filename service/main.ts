import { readFileSync } from "node:fs";
import { systemClock } from "../shared/server/clock.ts";
import { ConfigError } from "../shared/server/environment.ts";
import { proxyWarnings } from "../shared/server/forwarded-watch.ts";
import { createLineWriter } from "../shared/server/line-writer.ts";
import { createLog } from "../shared/server/log.ts";
import { systemRandom } from "../shared/server/random.ts";
import { StartError } from "../shared/server/start-error.ts";
import { supervise } from "../shared/server/supervise.ts";
import { unreadVariables } from "../shared/server/unread-variables.ts";
import { parseConfig, type ServiceConfig } from "./config.ts";
import { openService } from "./open-service.ts";
import { listen } from "./server.ts";
import { findStartFaults } from "./start-faults.ts";

// Files contain what customers wrote: only the owner may read them, even in a data folder that is open to others.
process.umask(0o077);

/** Runs the service on its own port. Its commands are in tools/service-main.ts. */
async function main(): Promise<void> {
  if (process.argv.length > 2)
    throw new StartError("This file only serves. For commands: npm run service -- --help");
  const readFile = (path: string) => readFileSync(path, "utf8");
  const { faults, variables } = await findStartFaults(process.env, readFile);
  if (faults.length > 0) throw new ConfigError(faults, variables, unreadVariables(process.env, variables));
  await serve(parseConfig(process.env, readFile));
}

async function serve(config: ServiceConfig): Promise<void> {
  const { write, flush } = createLineWriter(process.stdout.fd, systemClock);
  const log = createLog(config.logLevel, { clock: systemClock, write });
  const service = await openService(config, {
    clock: systemClock,
    random: systemRandom,
    log,
    publicOrigin: config.publicUrl,
  });
  const listening = await listen(service.app, config).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  supervise(process, {
    log,
    clock: systemClock,
    async stop() {
      log.info({}, "stopping");
      await service.close(listening.stop());
    },
    flush,
  });
  for (const warning of proxyWarnings(config.publicUrl, config.isProxyCountUnset)) log.warn({}, warning);
  for (const warning of unreadVariables(process.env, config.variables)) log.warn({}, warning);
  // The log's writer ignores a closed output, which must not end a process that serves.
  write(`Service: ${listening.url}/v1\n`);
  const workspaces = await service.store.workspaces.list();
  if (workspaces.length === 0) write("No workspace yet: npm run service -- workspace create NAME\n");
  for (const { id, name } of workspaces) {
    const link = await service.setupLink(id, `${config.publicUrl ?? listening.url}/desk`);
    if (link) write(`Desk of ${name}, first sign-in (valid for 24 hours, once): ${link}\n`);
  }
}

main().catch((error: unknown) => {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
