import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { REDIS_PROGRAM } from "../bff/testing/redis-program.ts";

/** Runs one command with its errors shown; throws with the command's name when it fails. */
function run(command: string, args: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const result = spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}

// Debian and root: from its packages, which bring no service here. Elsewhere tests of the shared store need one to be there.
if (REDIS_PROGRAM === undefined) {
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Redis from Debian's packages …");
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "redis-tools"]);
  } else {
    console.log("No redis-server here: the tests of the shared store (STORE_URL) are left out.");
  }
}
