import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { lockDataFolder } from "../shared/server/data-folder-lock.ts";
import { ConfigError } from "../shared/server/environment.ts";
import { runKept } from "./sessions/command-line.ts";
import { KeptError } from "./sessions/database-file.ts";

// Copies hold whose sessions there are: their owner alone may read them.
process.umask(0o077);

const args = process.argv.slice(2);
const print = (line: string) => void process.stdout.write(`${line}\n`);
const isShared = Boolean(process.env["STORE_URL"]?.trim() || process.env["STORE_URL_FILE"]?.trim());

async function run(): Promise<void> {
  if (!isShared) return runEmbedded();
  const { runSharedKept } = await import("./sessions/kept-shared.ts");
  await runSharedKept({ args, env: process.env, readFile: (path) => readFileSync(path, "utf8"), print });
}

const runEmbedded = () =>
  runKept({
    args,
    dataDir: process.env["DATA_DIR"]?.trim() || "./data",
    file: "bff.sqlite",
    lock: (dataDir) => lockDataFolder(dataDir, "BFF"),
    newEpoch: () => `r${randomBytes(8).toString("hex")}`,
    print,
  });

run().catch((error: unknown) => {
  if (!(error instanceof KeptError || error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
