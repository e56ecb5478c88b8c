import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newFolder, startBff } from "../bff/testing/bff-process.ts";
import { freePort } from "../bff/testing/free-port.ts";

const ROOT = join(import.meta.dirname, "..");
const MINUTE_MS = 60_000;

function runDoctor(env: Readonly<Record<string, string>>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { stdout, status } = spawnSync(process.execPath, [join(ROOT, "tools/doctor-main.ts")], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    encoding: "utf8",
    timeout: MINUTE_MS,
  });
  return { output: stdout, exitCode: status };
}

describe("the doctor's command", () => {
  test("DOC2 GATE8 names a dead Redis, an unusable data folder and a mistyped variable in one run", async () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");
    const { output, exitCode } = runDoctor({
      STORE_URL: `redis://127.0.0.1:${await freePort()}`,
      DATA_DIR: join(file, "data"),
      BASEURL: "https://support.example.com",
      PORT: String(await freePort()),
    });
    expect(exitCode).toBe(1);
    expect(output).toContain("WRONG The store at STORE_URL can't be reached, or takes no writes.");
    expect(output).toMatch(/^WRONG The data folder .*file\/data \(DATA_DIR\) can't be written/m);
    expect(output).toContain("note  BASEURL is not read. Did you mean BASE_URL?");
  });

  test.each([
    ["finds a fault in", {}, 1],
    ["finds no fault with TRUSTED_PROXIES (control) in", { TRUSTED_PROXIES: "1" }, 0],
  ])("GATE7 it %s a running process that got forwarded addresses", async (_name, more, exitCode) => {
    const port = await freePort();
    const env = {
      PORT: String(port),
      DATA_DIR: newFolder(),
      KNOWLEDGE_DIR: join(ROOT, "demo/articles"),
      ...more,
    };
    await startBff(env).ready;
    await fetch(`http://127.0.0.1:${port}/api/config`, { headers: { "x-forwarded-for": "203.0.113.7" } });
    const found = runDoctor(env);
    expect(found.output.includes("WRONG Forwarded addresses arrive")).toBe(exitCode === 1);
    expect(found.exitCode, found.output).toBe(exitCode);
  });
});
