import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../shared/server/make-folder.ts";
import { runIdentity } from "./identity/command-line.ts";
import { outliveReader } from "./outlive-reader.ts";

outliveReader(process.stdout);
const { output, errors, exitCode } = await runIdentity({
  args: process.argv.slice(2),
  env: process.env,
  readFile: (path) => readFileSync(path, "utf8"),
  writeFile: (path, text) => {
    makeFolder(dirname(path));
    writeFileSync(path, text, { mode: 0o600 });
  },
  now: () => Date.now(),
  random: randomBytes,
  newId: randomUUID,
});
process.stdout.write(output);
process.stderr.write(errors);
process.exitCode = exitCode;
