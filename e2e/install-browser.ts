import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { HEADLESS_SHELL } from "./browser.ts";

/** Runs one command and shows its output; throws with the command's name when it fails. */
function run(command: string, args: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const result = spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}

const isDebianRoot = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Installs the package that contains `file`, and names it in the output. */
function ensure(file: string, ...packages: string[]): void {
  if (existsSync(file)) return;
  if (!isDebianRoot) throw new Error(`${file} is missing; on Debian: apt-get install ${packages.join(" ")}`);
  console.log(`Installing ${packages.join(" and ")} from Debian's packages …`);
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages]);
}

// On Debian as root: Chromium from its packages. Elsewhere: the browser that Playwright provides.
if (!existsSync(HEADLESS_SHELL)) {
  if (isDebianRoot) ensure(HEADLESS_SHELL, "chromium-headless-shell");
  else {
    console.log("Installing Chromium by Playwright …");
    run("npx", ["--no-install", "playwright", "install", "chromium-headless-shell"]);
  }
}

// The other two engines, only for `npm run e2e:all`: 600 MB on disk.
if (process.argv.includes("--all")) {
  ensure("/usr/bin/firefox-esr", "firefox-esr");
  ensure("/usr/bin/WebKitWebDriver", "webkit2gtk-driver", "xvfb");
}
