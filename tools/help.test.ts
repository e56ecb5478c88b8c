import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
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
      // The others get --help from a reader that ends early.
      for (const asked of tool.startsWith("train") ? ["help", "--help"] : ["help"]) {
        const { stdout, stderr } = await run(process.execPath, [main, asked], { cwd: folder });
        expect(stdout).toContain(`npm run ${tool} -- `);
        expect(stderr).toBe("");
      }
      expect(readdirSync(folder)).toEqual([]);
    },
    30_000,
  );
});

describe("with a DATA_DIR that is no folder of a service", () => {
  test.each(["customer erase --workspace ws_1 --external-id ann", "credential create --workspace ws_1"])(
    "npm run service -- %s says so and creates nothing",
    async (command) => {
      const folder = mkdtempSync(join(tmpdir(), "parley-wrong-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const dataDir = join(folder, "data");
      const env = { ...process.env, DATA_DIR: dataDir };
      const main = join(ROOT, "tools/service-main.ts");
      await expect(run(process.execPath, [main, ...command.split(" ")], { env })).rejects.toMatchObject({
        code: 1,
        stderr: `There is no database ${dataDir}/service.sqlite: is DATA_DIR the folder of a service?\n`,
      });
      expect(readdirSync(folder)).toEqual([]);
    },
    30_000,
  );
});

describe("with a DATA_DIR whose database is empty or missing", () => {
  test.each([
    [["service.sqlite"], "is DATA_DIR the folder of a service?"],
    [["service.sqlite", "service.sqlite-wal"], "Put it back, or a backup"],
    [["service.sqlite-wal"], "Put it back, or a backup"],
  ])(
    "npm run service -- workspace list beside %j says so and leaves them as they are",
    async (files, expected) => {
      const dataDir = mkdtempSync(join(tmpdir(), "parley-empty-"));
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
      for (const file of files) writeFileSync(join(dataDir, file), "");
      const env = { ...process.env, DATA_DIR: dataDir };
      const main = join(ROOT, "tools/service-main.ts");
      await expect(run(process.execPath, [main, "workspace", "list"], { env })).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(expected),
      });
      expect(readdirSync(dataDir)).toEqual(files);
      for (const file of files) expect(statSync(join(dataDir, file)).size).toBe(0);
    },
    30_000,
  );
});

describe("a reader that ends early, such as head", () => {
  test.each([
    "service workspace list",
    ...["service", "sessions", "identity", "route", "doctor", "knowledge"].map((tool) => `${tool} --help`),
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
