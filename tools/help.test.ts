import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../shared/testing/imports.ts";

const run = promisify(execFile);

describe("asking a command-line tool for help", () => {
  test.each(["service", "sessions", "identity", "route", "doctor", "knowledge", "train", "train-claims"])(
    "npm run %s -- help prints the usage and changes nothing",
    async (tool) => {
      const folder = mkdtempSync(join(tmpdir(), "parley-help-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const main = join(ROOT, `tools/${tool}-main.ts`);
      const { stdout, stderr } = await run(process.execPath, [main, "help"], { cwd: folder });
      expect(stdout).toContain(`npm run ${tool} -- `);
      expect(stderr).toBe("");
      expect(readdirSync(folder)).toEqual([]);
    },
    30_000,
  );
});

describe("with a DATA_DIR that is no folder of a service", () => {
  test("npm run service -- customer erase says so, exits with 1 and creates nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-wrong-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const dataDir = join(folder, "data");
    const env = { ...process.env, DATA_DIR: dataDir };
    const command = ["customer", "erase", "--workspace", "ws_1", "--external-id", "ann"];
    const main = join(ROOT, "tools/service-main.ts");
    await expect(run(process.execPath, [main, ...command], { env })).rejects.toMatchObject({
      code: 1,
      stderr: `There is no database ${dataDir}/service.sqlite: is DATA_DIR the folder of a service?\n`,
    });
    expect(readdirSync(folder)).toEqual([]);
  }, 30_000);
});

describe("a reader that ends early, such as head", () => {
  test.each([
    "service workspace list",
    ...["sessions", "identity", "route", "doctor", "knowledge"].map((tool) => `${tool} --help`),
  ])(
    "does not stop the command: %s",
    async (command) => {
      const folder = mkdtempSync(join(tmpdir(), "parley-head-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const env = { ...process.env, DATA_DIR: join(folder, "data") };
      const [tool, ...args] = command.split(" ");
      const main = join(ROOT, `tools/${tool}-main.ts`);
      if (args[0] !== "--help") await run(process.execPath, [main, "workspace", "create", "shop"], { env });
      const child = execFile(process.execPath, [main, ...args], { env });
      child.stdout?.destroy();
      let errors = "";
      child.stderr?.on("data", (text) => {
        errors += text;
      });
      const [code] = await once(child, "close");
      expect([code, errors]).toEqual([0, ""]);
      if (args[0] === "--help") expect(readdirSync(folder)).toEqual([]);
    },
    30_000,
  );
});
