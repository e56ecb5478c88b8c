import { execFile } from "node:child_process";
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
      for (const asked of ["help", "--help"]) {
        const { stdout, stderr } = await run(process.execPath, [main, asked], { cwd: folder });
        expect(stdout).toContain(`npm run ${tool} -- `);
        expect(stderr).toBe("");
      }
      expect(readdirSync(folder)).toEqual([]);
    },
    30_000,
  );
});
