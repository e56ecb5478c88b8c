import { spawnSync } from "node:child_process";

/** Runs one command and shows its output; returns whether it passed. */
function run(...args: string[]): boolean {
  const env = { ...process.env, ["ALL_ENGINES"]: "1" };
  return spawnSync(process.execPath, args, { stdio: "inherit", env }).status === 0;
}

// Runs all three even after a failure, to show which engines fail.
const passed = [
  run("e2e/install-browser.ts", "--all"),
  run("node_modules/@playwright/test/cli.js", "test", "main-job", "--project=chromium"),
  run("node_modules/@playwright/test/cli.js", "test", "--project=firefox"),
  run("node_modules/vitest/vitest.mjs", "run", "--project", "webkit"),
];
process.exitCode = passed.every(Boolean) ? 0 : 1;
