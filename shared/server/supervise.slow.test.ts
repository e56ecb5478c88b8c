import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../bff/testing/free-port.ts";

const MAINS = ["bff/main.ts", "service/main.ts"] as const;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const THROWS = "setImmediate(() => { throw new TypeError('canary of a customer') })";
const REJECTS = "Promise.reject(new TypeError('canary of a customer'))";

/** Starts a program whose own code runs `fault` on SIGUSR2, and waits until it serves. */
async function start(main: string, fault: string, more: Readonly<Record<string, string | undefined>> = {}) {
  const faulty = join(newFolder(), "faulty.mjs");
  writeFileSync(faulty, `process.on("SIGUSR2", () => { ${fault} });`);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const PORT = String(await freePort());
  const child = spawn(process.execPath, ["--import", faulty, join(ROOT, main)], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: newFolder(), PORT, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  const exited = once(child, "close");
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = exited.then(() => Promise.reject(new Error(`The process ended: ${output}`)));
  ended.catch(() => undefined);
  while (!/Parley is (ready|running)|Service: /.test(output))
    await Promise.race([once(child.stdout, "data"), ended]);
  return {
    child,
    exitCode: async () => {
      await exited;
      return child.exitCode;
    },
    output: () => output,
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-supervise-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

describe.each(MAINS)("%s", (main) => {
  test.each([
    ["an uncaught exception", THROWS],
    ["an unhandled rejection", REJECTS],
  ])("%s is logged with its stack and ends the process with exit code 1", async (_name, fault) => {
    const program = await start(main, fault);
    program.child.kill("SIGUSR2");
    expect(await program.exitCode()).toBe(1);
    const line = program
      .output()
      .split("\n")
      .find((text) => text.includes("uncaught error"));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      error: "TypeError",
      at: expect.arrayContaining([expect.stringMatching(/^at .*faulty\.mjs/)]),
    });
    expect(program.output()).not.toContain("canary");
  });

  test("SIGTERM ends the process with exit code 0 (control)", async () => {
    const program = await start(main, "");
    program.child.kill("SIGTERM");
    expect(await program.exitCode()).toBe(0);
    expect(program.output()).not.toContain("uncaught");
  });
});

// That of the BFF: bff/main.slow.test.ts.
test("the service's compile cache lies in its data folder and belongs to its owner only", async () => {
  const folder = newFolder();
  const program = await start("service/main.ts", "", { DATA_DIR: folder, NODE_COMPILE_CACHE: undefined });
  program.child.kill("SIGTERM");
  await program.exitCode();
  const cache = join(folder, "compile-cache");
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(readdirSync(cache)).not.toEqual([]);
});
