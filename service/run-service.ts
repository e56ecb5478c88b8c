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

/** Runs the service on its own port, until the process is asked to stop. @throws StartError */
export async function runService(program: NodeJS.Process): Promise<void> {
  if (program.argv.length > 2)
    throw new StartError("This file only serves. For commands: npm run service -- --help");
  const readFile = (path: string) => readFileSync(path, "utf8");
  const { faults, variables } = await findStartFaults(program.env, readFile);
  if (faults.length > 0) throw new ConfigError(faults, variables, unreadVariables(program.env, variables));
  await serve(parseConfig(program.env, readFile), program);
}

async function serve(config: ServiceConfig, program: NodeJS.Process): Promise<void> {
  const { write, flush } = createLineWriter(program.stdout.fd, systemClock);
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
  supervise(program, {
    log,
    clock: systemClock,
    async stop() {
      log.info({}, "stopping");
      await service.close(listening.stop());
    },
    flush,
  });
  for (const warning of proxyWarnings(config.publicUrl, config.isProxyCountUnset)) log.warn({}, warning);
  for (const warning of unreadVariables(program.env, config.variables)) log.warn({}, warning);
  // The log's writer ignores a closed output, which must not end a process that serves.
  write(`Service: ${listening.url}/v1\n`);
  const workspaces = await service.store.workspaces.list();
  if (workspaces.length === 0) write("No workspace yet: npm run service -- workspace create NAME\n");
  for (const { id, name } of workspaces) {
    const link = await service.setupLink(id, `${config.publicUrl ?? listening.url}/desk`);
    if (link) write(`Desk of ${name}, first sign-in (valid for 24 hours, once): ${link}\n`);
  }
}
