import { readFileSync } from "node:fs";
import { pino } from "pino";
import { Failure } from "../shared/errors.ts";
import { systemClock } from "../shared/server/clock.ts";
import { ConfigError } from "../shared/server/environment.ts";
import { StartError } from "../shared/server/start-error.ts";
import { supervise } from "../shared/server/supervise.ts";
import { runCommand } from "./cli/command-line.ts";
import { isDatabaseCommand, runDatabaseCommand } from "./cli/database-commands.ts";
import { parseConfig, type ServiceConfig } from "./config.ts";
import { systemRandom } from "./ids.ts";
import { databaseOf, openService, openStore } from "./open-service.ts";
import { listen } from "./server.ts";
import { findStartFaults } from "./start-faults.ts";

// Files hold what customers wrote: only the owner may read them, even in a data folder that is open to others.
process.umask(0o077);

/** Without arguments, runs the service on its own port; with arguments, one command. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const readFile = (path: string) => readFileSync(path, "utf8");
  const faults = args.length > 0 ? [] : await findStartFaults(process.env, readFile);
  if (faults.length > 0) throw new ConfigError(faults);
  const config = parseConfig(process.env, readFile);
  await (args.length > 0 ? command(args, config) : serve(config));
}

async function command(args: readonly string[], config: ServiceConfig): Promise<void> {
  if (isDatabaseCommand(args)) {
    const { path, lock } = databaseOf(config.dataDir);
    return runDatabaseCommand(args, { path, lock, clock: systemClock, random: systemRandom, print });
  }
  const store = openStore(config.dataDir, { clock: systemClock, random: systemRandom }, () => undefined);
  try {
    await runCommand(args, { store, random: systemRandom, print });
  } finally {
    await store.close();
  }
}

async function serve(config: ServiceConfig): Promise<void> {
  const logTo = pino.destination({ fd: 1, sync: false });
  const log = pino({ level: config.logLevel }, logTo);
  const service = await openService(config, { clock: systemClock, random: systemRandom, log });
  const listening = await listen(service.app, config).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  supervise(process, {
    log,
    async stop() {
      log.info({}, "stopping");
      // Open streams end with the service, and only then are the connections done.
      const stopped = listening.stop();
      await service.close();
      await stopped;
    },
    flush: () => logTo.flushSync(),
  });
  print(`Service: ${listening.url}/v1`);
  const workspaces = await service.store.workspaces.list();
  if (workspaces.length === 0) print("No workspace yet: npm run service -- workspace create NAME");
  for (const { id, name } of workspaces) {
    const link = await service.setupLink(id, `${listening.url}/desk`);
    if (link) print(`Desk of ${name}, first sign-in (valid for 24 hours, once): ${link}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  if (!(error instanceof StartError || error instanceof Failure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
