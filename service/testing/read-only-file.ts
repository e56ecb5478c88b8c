import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { onTestFinished } from "vitest";

/** No permission keeps the superuser from writing, but a read-only mount does. */
export function makeReadOnly(path: string, mode = 0o400): void {
  chmodSync(path, mode);
  if (process.getuid?.() !== 0) return;
  execFileSync("mount", ["--bind", path, path]);
  onTestFinished(() => void execFileSync("umount", ["-l", path]));
  execFileSync("mount", ["-o", "remount,bind,ro", path]);
}
