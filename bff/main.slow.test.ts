import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "./testing/free-port.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

interface Run {
  readonly child: ChildProcess;
  until(text: string): Promise<void>;
}

/** Starts the BFF, or another program. `until` waits for a text in its output, from where the last wait ended. */
function run(env: Record<string, string>, main = "bff/main.ts"): Run {
  const child = spawn(process.execPath, [main], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  let read = 0;
  const exited = once(child, "close").then(() => {
    throw new Error(`The process ended: ${output}`);
  });
  exited.catch(() => undefined);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return {
    child,
    async until(text) {
      while (!output.includes(text, read)) await Promise.race([once(child.stdout, "data"), exited]);
      read = output.indexOf(text, read) + text.length;
    },
  };
}

describe("the BFF's process", () => {
  test("a closed terminal stops it cleanly, and compiled code is stored in the data folder", async () => {
    const shared = mkdtempSync(join(tmpdir(), "parley-shared-"));
    onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
    const folder = mkdtempSync(join(tmpdir(), "parley-hang-up-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const bff = run({
      BASE_URL: "http://127.0.0.1:9",
      APPLICATION_CREDENTIAL: "sk_test",
      DATA_DIR: folder,
      TMPDIR: shared,
      PORT: String(await freePort()),
    });
    await bff.until("Parley is running, but it is not ready");
    bff.child.kill("SIGHUP");
    const [exitCode] = (await once(bff.child, "close")) as [number | null];
    expect(exitCode).toBe(0);
    // Another user of the machine could plant code in the shared temporary folder.
    expect(readdirSync(shared)).toEqual([]);
    const cache = join(folder, "compile-cache");
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache)).toHaveLength(1);
  });

  test.each(["bff/main.ts", "service/main.ts"])("%s serves when its output is closed", async (main) => {
    const folder = mkdtempSync(join(tmpdir(), "parley-closed-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const port = await freePort();
    const { child } = run({ DATA_DIR: folder, PORT: String(port) }, main);
    child.stdout?.destroy();
    const livez = () => fetch(`http://127.0.0.1:${port}/livez`).then(({ status }) => status, String);
    await expect.poll(livez).toBe(200);
    // The greeting is written within these requests.
    for (let n = 0; n < 50; n += 1) expect(await livez()).toBe(200);
  });
});
