import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { HOURS, sentencesOf } from "./testing/routing-kit.ts";

// Starts Node once for each command of the document.
vi.setConfig({ testTimeout: 60_000 });

const ROOT = resolve(import.meta.dirname, "../..");
const document = readFileSync(join(ROOT, "docs/routing.md"), "utf8");
const MARK = "\u0001";

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocks = [...document.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(
  ([, language = "", text = ""]): Block => ({ language, text }),
);
const commands = blocks.filter(({ language }) => language === "sh");
const answers = blocks.filter(({ language }) => language === "text");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-routing-"));
  // Replaces npm without its own two lines: runs the script of package.json with the arguments after "--".
  const script = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts.route;
  const npm = `#!/bin/sh\n[ "$1 $2" = "run route" ] || exit 99\nshift 2\n[ "$1" = "--" ] && shift\nexec ${script} "$@"\n`;
  writeFileSync(join(folder, "npm"), npm);
  chmodSync(join(folder, "npm"), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs commands one after another in one shell, as a reader does, and returns what each printed. */
function runAll(texts: readonly string[]): readonly string[] {
  const path = [folder, resolve(process.execPath, ".."), process.env["PATH"]].join(delimiter);
  const script = texts.map((text) => `${text}\nprintf '${MARK}'\n`).join("");
  const printed = execFileSync("sh", ["-c", `exec 2>&1\n${script}`], {
    cwd: ROOT,
    env: { PATH: path, NODE_COMPILE_CACHE: join(folder, "cache") },
    encoding: "utf8",
  });
  return printed.split(MARK).slice(0, -1);
}

describe("docs/routing.md", () => {
  it("every command prints the block below it", () => {
    expect(commands.length).toBeGreaterThanOrEqual(4);
    expect(runAll(commands.map(({ text }) => text))).toEqual(answers.map(({ text }) => text));
  });

  it("another question prints another answer (control)", () => {
    const wrong = commands.slice(0, 1).map(({ text }) => text.replace("plan=enterprise", "plan=free"));
    expect(runAll(wrong)).not.toEqual(answers.slice(0, 1).map(({ text }) => text));
  });

  it("every configuration in it is valid", () => {
    const variables = blocks.filter(({ language }) => /ROUTING|SUPPORT_HOURS/.test(language));
    expect(variables).toHaveLength(2);
    for (const { language, text } of variables) {
      const name = language.split(" ").at(-1) ?? "";
      expect(sentencesOf({ SUPPORT_HOURS: HOURS, [name]: text })).toEqual([]);
    }
  });

  it("the exit codes are as documented", () => {
    const [right, wrong, unasked] = runAll([
      "npm run route >/dev/null; echo $?",
      "ROUTING='[5]' npm run route >/dev/null 2>&1; echo $?",
      "npm run route -- --at noon >/dev/null 2>&1; echo $?",
    ]);
    expect([right, wrong, unasked]).toEqual(["0\n", "1\n", "2\n"]);
  });
});
