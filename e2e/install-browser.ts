import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { HEADLESS_SHELL } from "./browser.ts";

/** Runs one command with its output shown; throws with the command's name when it fails. */
function run(command: string, args: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const result = spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}

// Debian and root: Chromium from its packages. Elsewhere: the browser that Playwright brings for itself.
if (!existsSync(HEADLESS_SHELL)) {
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing Chromium from Debian's packages …");
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell"]);
  } else {
    console.log("Installing Chromium by Playwright …");
    run("npx", ["--no-install", "playwright", "install", "chromium-headless-shell"]);
  }
}
