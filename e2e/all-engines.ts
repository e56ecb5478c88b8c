import { spawnSync } from "node:child_process";

/** Runs one command with its output shown; gives whether it passed. */
function run(...args: string[]): boolean {
  const env = { ...process.env, ["ALL_ENGINES"]: "1" };
  return spawnSync(process.execPath, args, { stdio: "inherit", env }).status === 0;
}

// All three are run, whatever the first says: which engine fails is what one wants to know.
const passed = [
  run("e2e/install-browser.ts", "--all"),
  run("node_modules/@playwright/test/cli.js", "test", "main-job", "--project=chromium"),
  run("node_modules/@playwright/test/cli.js", "test", "--project=firefox"),
  run("node_modules/vitest/vitest.mjs", "run", "--project", "webkit"),
];
process.exitCode = passed.every(Boolean) ? 0 : 1;
