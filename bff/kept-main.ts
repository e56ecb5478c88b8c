import { randomBytes } from "node:crypto";
import { lockDataFolder } from "./data-folder-lock.ts";
import { runKept } from "./kept/command-line.ts";
import { KeptError } from "./kept/database-file.ts";

// Copies hold whose sessions there are: their owner alone may read them.
process.umask(0o077);

runKept({
  args: process.argv.slice(2),
  dataDir: process.env["DATA_DIR"]?.trim() || "./data",
  file: "bff.sqlite",
  lock: lockDataFolder,
  newEpoch: () => `r${randomBytes(8).toString("hex")}`,
  print: (line) => process.stdout.write(`${line}\n`),
}).catch((error: unknown) => {
  if (!(error instanceof KeptError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
