import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Whether this machine uses Debian packages, and this account may install them. */
export const isDebianRoot = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Runs one command and shows its errors; throws with the command's name when it fails. */
export function run(command: string, args: readonly string[], cwd?: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const result = spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env, cwd });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}
